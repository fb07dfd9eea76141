#!/usr/bin/env python3
"""Makes a site of the documentation: the Markdown of this tree, elements' manual pages, Javadoc.

packaging/site.py CLASSES JAVADOC VERSION FOLDER

CLASSES is where META-INF/linerate/manual is, JAVADOC a folder of Javadoc or "" for none. MkDocs makes the pages; it is strict, so
that a link that leads nowhere fails. Pages ask no other machine for anything.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ELEMENT = re.compile(r"linerate-\w+/src/main/java/io/linerate/.*?(\w+)\.java$")
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")

# The sections of the site. What is in docs and in none of them fails the build.
NAVIGATION = {
    "Linerate": ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"],
    "Use it": ["use", "examples", "decode", "protocols", "tshark", "flows", "filter", "firewall", "nat", "balance", "route", "gateway", "standby", "transfer", "fabric", "api", "release", "evasion", "fates"],
    "Ports": ["xdp", "offloads", "steering", "link-types", "faults", "idle-and-links", "system-calls"],
    "Watch it": ["page", "dashboard", "statistics"],
    "Generate and measure": ["generate"],
    "Elements": ["elements", "add-an-element", "streams", "stream-protocol"],
    "Extend it": ["add-a-driver", "add-a-protocol", "add-a-view"],
    "How it works": ["architecture", "hot-path", "scaling", "benchmarks", "benchmarks-micro", "machine-test"],
}


class Site:
    def __init__(self, stage):
        self.stage = stage
        self.elements = {}
        self.waiting = []

    def manual_pages(self, classes):
        """One page for each element, of the text that its jar carries."""
        for file in sorted(Path(classes).glob("META-INF/linerate/manual/*.txt")):
            name = file.stem.rpartition(".")[2]
            page = self.stage / "manual" / f"{name}.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(f"# {name}\n\n```\n{file.read_text()}```\n")
            self.elements[name] = page

    def take(self, path):
        """Copies a file with its links, and what they lead to, later; returns where it is."""
        target = self.stage / path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                target.touch()
                self.waiting.append(path)
            else:
                shutil.copy(ROOT / path, target)
        return target

    def folder(self, path):
        """A page with links to what is in a folder."""
        page = self.stage / path / "README.md"
        if path.name.startswith("linerate-"):
            return self.take(Path("docs/architecture.md"))
        if not page.exists():
            page.parent.mkdir(parents=True, exist_ok=True)
            page.touch()
            lines = [f"# {path.name}", ""]
            for file in sorted(p for p in (ROOT / path).rglob("*") if p.is_file() and "target" not in p.parts):
                self.take(file.relative_to(ROOT))
                title = heading(file) if file.suffix == ".md" else file.name
                lines.append(f"- [{title}]({file.relative_to(ROOT / path)})")
            page.write_text("\n".join(lines) + "\n")
        return page

    def link(self, page, match):
        text = match.group(2)
        if ":" in text:
            return match.group(0)
        path = Path(os.path.normpath(page.parent / text))
        element = ELEMENT.match(str(path))
        if element and element.group(1) in self.elements:
            target = self.elements[element.group(1)]
        elif (ROOT / path).is_dir():
            target = self.folder(path)
        elif (ROOT / path).is_file():
            target = self.take(path)
        else:
            sys.exit(f"link leads nowhere: page={page}, link={text}; mend it")
        return match.group(1) + os.path.relpath(target, (self.stage / page).parent) + match.group(3)

    def pages(self):
        while self.waiting:
            page = self.waiting.pop()
            text = (ROOT / page).read_text()
            (self.stage / page).write_text(LINK.sub(lambda match: self.link(page, match), text))


def heading(file):
    return file.read_text().partition("\n")[0].lstrip("# ")


def navigation(site):
    sections = []
    for title, names in NAVIGATION.items():
        pages = [name if name.endswith(".md") else f"docs/{name}.md" for name in names]
        pages = [page for page in pages if (ROOT / page).exists()]
        for page in pages:
            site.take(Path(page))
        sections.append((title, pages))
    said = {page for _, pages in sections for page in pages}
    missing = [page.name for page in (ROOT / "docs").glob("*.md") if f"docs/{page.name}" not in said]
    if missing:
        sys.exit(f"pages are in no section of the site: pages={missing}; name them in packaging/site.py")
    decisions = [f"docs/decisions/{page.name}" for page in sorted((ROOT / "docs/decisions").glob("*.md"))]
    for page in decisions:
        site.take(Path(page))
    manual = [f"manual/{name}.md" for name in sorted(site.elements)]
    return [*sections, ("Manual pages of elements", manual), ("Decisions", decisions)]


def configuration(sections, javadoc, version):
    lines = [
        f"site_name: Linerate {version}",
        "docs_dir: stage",
        "use_directory_urls: false",  # Pages open from the disk, too.
        "theme: {name: mkdocs, highlightjs: false}",
        "plugins: [search]",
        "markdown_extensions: [tables, fenced_code, {toc: {permalink: true}}]",
        "nav:",
    ]
    for title, pages in sections:
        lines.append(f"  - '{title}':")
        lines += [f"    - '{page}'" for page in pages]
        if javadoc and title == "Use it":
            lines.append("    - 'Javadoc': 'javadoc/index.html'")
    return "\n".join(lines) + "\n"


def main(classes, javadoc, version, folder):
    with tempfile.TemporaryDirectory() as work:
        stage = Path(work) / "stage"
        stage.mkdir()
        site = Site(stage)
        site.manual_pages(classes)
        sections = navigation(site)
        site.pages()
        if javadoc:
            shutil.copytree(javadoc, stage / "javadoc")
        config = Path(work) / "mkdocs.yml"
        config.write_text(configuration(sections, javadoc, version))
        made = subprocess.run(
            ["mkdocs", "build", "--strict", "--quiet", "--clean", "-f", config, "-d", Path(folder).resolve()],
            text=True,
        )
    if made.returncode:
        sys.exit("the site cannot be made; mend what is said above")
    print(f"made {folder}/index.html")


if __name__ == "__main__":
    main(*sys.argv[1:5])
