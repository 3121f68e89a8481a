"""Source text, trees and analyses of Python functions. Imports nothing of ours."""
