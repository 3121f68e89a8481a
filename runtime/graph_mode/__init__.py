"""Graph mode: graphs built by hand, and sessions that run parts of them."""
