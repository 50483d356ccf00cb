"""`python -m logpartition_book.versions <folder of zips> <site>`: released sites beside the newest.

A release has its site as a zip, `v1.2.3.zip`, which is unpacked to the folder `v1.2.3` of the site.
Each page there says at its top which version it is, with a link to the newest; search engines are
asked to leave it out; and what runs it runs that version.
"""

import argparse
import re
import shutil
import stat
import sys
import tempfile
import zlib
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from . import launch

NAME = re.compile(r"v(\d+\.\d+\.\d+)\.zip", re.ASCII)
MEMBER = re.compile(r"(?!(?:.*/)?\.\.?(?:/|$))[\w.-]+(?:/[\w.-]+)*/?", re.ASCII)
COLOPHON = re.compile(
    r'class="lp-colophon"[^>]*>(?:(?!</section>).)*?\(version ([^,)\s]+)', re.DOTALL
)
TOP = re.compile(r'<body[^>]*>(?:\s*<div id="pst-skip-link".*?</div>)?')  # which comes first
PLACE = re.compile(r'<meta property="og:image" content="(https?://[^"]*/)_static/')
STYLE = (
    "margin: 0; padding: .4rem 1rem; text-align: center; font: .85rem/1.5 system-ui, sans-serif;"
    " color: #222; background: #fbeec2"
)


def refused(path: Path) -> str:
    """What is wrong with a zip; nothing where it holds a site and nothing else."""
    if not NAME.fullmatch(path.name):
        return "its name is not that of a version, such as v1.2.3.zip"
    try:
        with ZipFile(path) as archive:
            members = archive.infolist()
            if damaged := archive.testzip():
                return f"{damaged!r} in it is damaged"
            pages = [name for name in members if name.filename.endswith(".html")]
            said = {one for page in pages for one in editions(archive.read(page).decode(), page)}
    except (
        BadZipFile,
        NotImplementedError,
        RuntimeError,
        zlib.error,
        OSError,
        ValueError,
    ) as error:
        return f"it cannot be read: {error}"
    if others := sorted(said - {path.stem[1:]}):
        return f"a page in it says that it is version {others[0]}"
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        if not MEMBER.fullmatch(member.filename) or kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            return f"{member.filename!r} is no file of a site"
    names = [member.filename.rstrip("/") for member in members]
    within = {str(folder) for name in names for folder in Path(name).parents}
    files = {member.filename for member in members if not member.is_dir()}
    if len({*names}) < len(names) or within & files:
        return "two files in it have one name"
    return "" if "index.html" in archive.NameToInfo else "it has no front page"


def editions(page: str, member: ZipInfo) -> list[str]:
    """The versions that a page of a site says that it is of."""
    return COLOPHON.findall(page) if "/" not in member.filename else []


def put(path: Path, site: Path) -> None:
    """Unpack the site of a release into its folder; its notebooks for Colab join the newest."""
    folder, colab = site / path.stem, site / launch.FOLDER / path.stem
    with tempfile.TemporaryDirectory(dir=site, prefix=".") as beside:
        with ZipFile(path) as archive:
            archive.extractall(Path(beside) / path.stem)
        for former in (folder, colab):
            if former.is_symlink() or former.is_file():
                former.unlink()
            shutil.rmtree(former, ignore_errors=True)
        (Path(beside) / path.stem).rename(folder)
    for page in folder.rglob("*.html"):
        name = page.relative_to(folder)
        if name.parts[0] != "_static":
            page.write_text(told(page.read_text(encoding="utf-8"), name, site, path.stem), "utf-8")
    if (folder / launch.FOLDER).is_dir():
        colab.parent.mkdir(exist_ok=True)
        (folder / launch.FOLDER).rename(colab)


def told(page: str, name: Path, site: Path, tag: str) -> str:
    """A page of the version `tag` that says so."""
    to = "../" * len(name.parts) + (name.as_posix() if (site / name).exists() else "index.html")
    line = (
        f'\n<aside aria-label="Version" style="{STYLE}">This is version {tag[1:]}. '
        f'<a href="{to}" style="color: #24527a">Newest version</a></aside>'
    )
    page = placed(launch.of_version(page, tag), tag)
    page = TOP.sub(lambda top: top[0] + line, page, count=1)
    return page.replace("</head>", '<meta name="robots" content="noindex"></head>', 1)


def placed(page: str, tag: str) -> str:
    """A page whose addresses, where it was built with them, are those of its version."""
    found = PLACE.search(page)
    own = found and rf"({re.escape(found[1])})(?=_static/|result/|[\w-]+\.html)"
    return re.sub(own, rf"\g<1>{tag}/", page) if found else page


def main() -> None:
    parser = argparse.ArgumentParser(description="Put released sites beside the newest.")
    parser.add_argument("zips", type=Path, help="folder with the zips of the releases")
    parser.add_argument("site", type=Path, help="folder of the newest site")
    options = parser.parse_args()
    if not options.zips.is_dir():
        parser.error(f"there is no folder {options.zips}")
    paths = sorted(options.zips.iterdir())
    if not (options.site / "index.html").exists():
        parser.error(f"there is no site in {options.site}")
    if wrong := [f"{path.name}: {why}" for path in paths if (why := refused(path))]:
        sys.exit("\n".join(wrong))
    for path in paths:
        try:
            put(path, options.site)
        except OSError as error:
            sys.exit(f"{path.name} could not be unpacked: {error}")
    print(f"released versions: {len(paths)}")


if __name__ == "__main__":
    main()
