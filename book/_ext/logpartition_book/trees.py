"""The code of cells as trees, each read once. Who asks for one only looks at it."""

import ast
from functools import lru_cache


@lru_cache(maxsize=4096)
def tree(source: str) -> ast.Module:
    """SyntaxError also where Python has no room to read it."""
    try:
        return ast.parse(source)
    except (MemoryError, RecursionError):
        raise SyntaxError("it has too many operations in each other") from None


def unparsed(error: SyntaxError) -> str:
    """What keeps code from being Python, in words."""
    return f"{error.msg} (line {error.lineno})" if error.lineno else error.msg


@lru_cache(maxsize=4096)
def nodes(source: str) -> tuple[ast.AST, ...]:
    """All that is in the tree, as `ast.walk` goes through it."""
    return tuple(ast.walk(tree(source)))
