"""Chapters for readers of plain Markdown, as JupyterLab, Colab and GitHub are: what only the site
resolves is written out.

The copies that the site offers have its numbers and lead to it.
`python -m logpartition_book.copies` rewrites the notebooks in `book/` by labels, which need no
site, and asks for no package; Binder calls it, in an image of its own.
"""

import json
import re
from pathlib import Path

from . import files

MIME = "application/vnd.logpartition.result+json"
PLACE = re.compile(r"^\([\w-]+\)=(?:\n|$)", re.MULTILINE)
TRY = re.compile(r"^```\{try\} [\w-]+\n```(?:\n|$)", re.MULTILINE)
DEFINITION = re.compile(
    r"^```\{prf:definition\}\n:label: ([\w-]+)\n\s*(.*?)\n```$", re.MULTILINE | re.DOTALL
)
ROLE = re.compile(r"\{(eq|cite|cite:[tp]|prf:ref)\}`([^`]+)`")
LINK = re.compile(r"(\[[^\[\]]+\])\((?:#([\w-]+)|([\w-]+)\.md)\)")


class Labels:
    """Names by which a reader finds what is meant in the notebooks themselves."""

    def role(self, name, target):
        if name == "eq":
            return f"(`{target.removeprefix('eq-')}`)"
        if name.startswith("cite"):
            return ", ".join(f"[{key.strip()}](references.bib)" for key in target.split(","))
        return f"the definition `{target}`"

    def definition(self, label):
        return f"Definition `{label}`"

    def link(self, words, place, page):
        return f"{words}({page}.md)" if page else words[1:-1]

    def head(self, record, shown):
        return shown


class Numbers:
    """Numbers as on the pages, which lead there where the site's address is known; `slug` is the
    chapter that is written."""

    def __init__(self, app, site, slug):
        self.app, self.env, self.site, self.slug = app, app.env, site, slug

    def role(self, name, target):
        from .index import named

        if name == "prf:ref":
            page = self.env.proof_list[target]["docname"]
            return self.leading(self.definition(target), page, target)
        said = named(self.env, name, target)
        if name == "eq":
            label = target.removeprefix("eq-")
            page = self.app.logpartition.results[label]["chapter"]
            return self.leading(said, page, target)
        return self.leading(said, "references") if self.site else said

    def leading(self, words, page, place=""):
        if self.site:
            return f"[{words}]({self.site}{page}.html{f'#{place}' if place else ''})"
        return words if page == self.slug else f"[{words}]({page}.ipynb)"

    def definition(self, label):
        known = self.env.proof_list[label]
        found = self.env.toc_fignumbers[known["docname"]][known["countertype"]][label]
        return f"Definition {'.'.join(map(str, found))}"

    def link(self, words, place, page):
        if not self.site:
            return words[1:-1]
        return self.leading(words[1:-1], page or self.slug, place)

    def head(self, record, shown):
        from .index import number

        return f"**({number(self.env, record['label'])}) {shown.removeprefix('**')}"


def written_out(notebook, by):
    """The notebook without what is MyST's own, and so without the seal of the run."""
    notebook["metadata"].pop("logpartition", None)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = plain("".join(cell["source"]), by)
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if MIME in data:
                data["text/markdown"] = by.head(data[MIME], "".join(data["text/markdown"]))
    return notebook


def plain(source, by):
    source = TRY.sub("", PLACE.sub("", source))
    source = DEFINITION.sub(lambda found: f"**{by.definition(found[1])}.** {found[2]}", source)
    source = ROLE.sub(lambda found: by.role(found[1], found[2]), source)
    return LINK.sub(lambda found: by.link(*found.groups()), source)


def main():
    for path in sorted(Path("book").glob("*.ipynb")):
        notebook = written_out(json.loads(path.read_text(encoding="utf-8")), Labels())
        files.write(path, json.dumps(notebook, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
