"""HTML elements as docutils nodes, so that a box can hold Markdown, maths and references that
Sphinx resolves."""

from html import escape

from docutils import nodes


class element(nodes.General, nodes.TextElement):
    """`<name …attributes>children</name>`.

    What is in it is ours, and stands in no notebook; else `holds` says what brought it to the page
    (see `provenance`), where that is not what is around it.
    """


class printed(nodes.General, nodes.Element):
    """What stands on paper in place of a box: its children, for every builder but the site's."""


def E(name: str, /, *children, **attributes) -> element:
    """An element; `class_` loses its underscore, `data_x` becomes `data-x`, and None or False
    leaves an attribute out."""
    given = {
        key.rstrip("_").replace("_", "-"): value
        for key, value in attributes.items()
        if value not in (None, False)
    }
    node = element(name=name, ids=[given.pop("id")] if "id" in given else [], given=given)
    node["support_smartquotes"] = name not in ("code", "pre")
    node.extend(nodes.Text(child) if isinstance(child, str) else child for child in children)
    return node


def around(name: str, /, *children, holds: str = "", **attributes) -> element:
    """An element around what is not ours."""
    node = E(name, *children, **attributes)
    node["holds"] = holds
    return node


def math(tex: str, display: bool = False) -> nodes.math:
    """An inline formula; `display` sets it in display style."""
    return nodes.math(tex, tex, display=display)


def _visit(self, node: element) -> None:
    # docutils' own tags would put a blank for each line end, which data to be copied may have
    first, *others = node["ids"] or [False]
    given = {"id": first, **node["given"]}
    attributes = (
        f' {key}="{"" if value is True else escape(str(value))}"'
        for key, value in given.items()
        if value is not False
    )
    spans = "".join(f'<span id="{other}"></span>' for other in others)
    self.body.append(f"<{node['name']}{''.join(attributes)}>{spans}")


def _depart(self, node: element) -> None:
    if node["name"] != "input":
        self.body.append(f"</{node['name']}>")


def _skip(self, node: nodes.Element) -> None:
    raise nodes.SkipNode


def _pass(self, node: nodes.Element) -> None:
    pass


def setup(app) -> dict:
    paper = ("latex", "text", "man", "texinfo")
    app.add_node(element, html=(_visit, _depart), **dict.fromkeys(paper, (_skip, None)))
    app.add_node(printed, html=(_skip, None), **dict.fromkeys(paper, (_pass, _pass)))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
