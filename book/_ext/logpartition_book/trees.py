"""The code of cells as trees, each read once. Who asks for one only looks at it."""

import ast
from functools import lru_cache


@lru_cache(maxsize=4096)
def tree(source: str) -> ast.Module:
    return ast.parse(source)


@lru_cache(maxsize=4096)
def nodes(source: str) -> tuple[ast.AST, ...]:
    """All that is in the tree, as `ast.walk` goes through it."""
    return tuple(ast.walk(tree(source)))
