"""What a traced function sees of the world: overlay globals, cells, captured state, guards."""
