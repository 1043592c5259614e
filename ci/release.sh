#!/usr/bin/env bash
# Builds every way in which keur is installed, or checks what it built; docs/releasing.md describes both.
#
#   ci/release.sh [--target TRIPLE]... OUT   builds them for all systems, or for these and the one that it runs on
#   ci/release.sh --check OUT [TRY]...       tries each of them, from the files in OUT alone; or some, such as npm
set -euo pipefail

targets=(
    x86_64-unknown-linux-musl
    aarch64-unknown-linux-musl
    x86_64-pc-windows-gnu
    aarch64-apple-darwin
    x86_64-apple-darwin
)
# Its program writes the man pages and completions of all packages.
host=$(uname -m)-unknown-linux-musl

usage() {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}

# What builds and checks, pinned, in a virtual environment of its own.
install_tools() {
    python3 -m venv target/release-tools
    target/release-tools/bin/pip install --quiet --disable-pip-version-check \
        maturin==1.16.0 ziglang==0.17.1 twine==7.0.0 check-wheel-contents==0.6.3 uv==0.13.9
    PATH=$PWD/target/release-tools/bin:$PATH
}

chosen=() check=
while (($#)); do
    case $1 in
        --target) chosen+=("${2:?a target}") && shift 2 ;;
        --check) check=yes && shift ;;
        -*) usage ;;
        *) break ;;
    esac
done
(($# == 1)) || [[ $check && $# -gt 1 ]] || usage
out=$(realpath -m "$1")
shift
cd "$(dirname "$0")/.."
if [[ $check ]]; then
    install_tools
    exec python3 -B ci/try_release.py "$out" "$@"
fi

if ((${#chosen[@]})); then
    mapfile -t targets < <(printf '%s\n' "$host" "${chosen[@]}" | awk '!seen[$0]++')
fi
mkdir -p "$out"
[[ ! $(find "$out" -mindepth 1 -maxdepth 1 ! -name release ! -name wheels ! -name npm ! -name crates) ]] || {
    echo "error: $out has other files than those of a release, which is replaced: name a folder that is new or has a release" >&2
    exit 2
}
rm -rf "$out"/{release,wheels,npm,crates}
install_tools
rustup target add "${targets[@]}" wasm32-unknown-unknown

# What `keur site` needs is in each program.
cargo build --locked --package keur-page --profile page --target wasm32-unknown-unknown
export KEUR_PAGE_MODULE=$PWD/target/wasm32-unknown-unknown/page/keur_page.wasm

# One program a target. The wheel has the very same program as every other package: it is static on Linux, so it needs
# neither glibc nor musl.
for target in "${targets[@]}"; do
    tags=()
    [[ $target != *-linux-* ]] || tags=(--compatibility manylinux2014 musllinux_1_1)
    maturin build --zig --features site --target "$target" "${tags[@]}" --out "$out/wheels"
done

cargo package --workspace --exclude keur-page --locked --no-verify
mkdir -p "$out/crates"
version=$(cargo pkgid --package keur)
version=${version##*[#@]}
cp target/package/{keur-sandbox,keur-core,keur}-"$version".crate "$out/crates"

python3 ci/package.py --pages-of "$host" --out "$out" "${targets[@]}"
