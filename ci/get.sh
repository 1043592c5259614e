#!/usr/bin/env bash
# Puts keur on the path of the following steps: the installed one, else the released program of this version, else
# one built from the sources of this action. The working folder is a student's repository and must not influence what
# runs here.
set -euo pipefail

# A relative folder on the path would be inside the repository.
PATH=$(tr ':' '\n' <<<"$PATH" | grep '^/' | paste -sd ':' -)
export PATH

if command -v keur >/dev/null; then
    keur --version
    exit
fi

home="$RUNNER_TEMP/keur-program"
mkdir -p "$home/bin"
cd "$home"

# Shows an error of the run, and ends the step as keur does when it cannot grade.
fail() {
    echo "::error title=keur::$1"
    exit 4
}

# A release is named after its version; a branch or a commit may be newer.
download() {
    local version archive base
    case "${ACTION_REF:-}" in v[0-9]*) ;; *) return 1 ;; esac
    [ -n "${ACTION_REPOSITORY:-}" ] || return 1
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml" | head -n 1)
    archive="keur-$RUNNER_OS-$RUNNER_ARCH.tar.gz"
    base="${GITHUB_SERVER_URL:-https://github.com}/$ACTION_REPOSITORY/releases/download/v$version"
    for file in "$archive" "$archive.sha256"; do
        curl --fail --silent --location --retry 2 --max-time 120 --output "$home/$file" "$base/$file" || return 1
    done
    [ "$(cut -d ' ' -f 1 <"$home/$archive.sha256")" = "$(sum <"$home/$archive")" ] || return 1
    tar -xzf "$home/$archive" -C "$home/bin" && "$home/bin/keur" --version
}

# The SHA-256 of the input; macOS has no sha256sum.
sum() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

if ! download; then
    echo "no released program for $RUNNER_OS on $RUNNER_ARCH: building keur from its sources"
    # The user's default toolchain, regardless of any rust-toolchain file.
    if [ -z "${RUSTUP_TOOLCHAIN:-}" ] && command -v rustup >/dev/null; then
        RUSTUP_TOOLCHAIN=$(rustup default | cut -d ' ' -f 1)
        export RUSTUP_TOOLCHAIN
    fi
    if ! command -v cargo >/dev/null; then
        fail "There is no released keur for $RUNNER_OS on $RUNNER_ARCH, and no Rust to build it with. Use a version that has a release, or install Rust in an earlier step."
    fi
    cargo install --path "$GITHUB_ACTION_PATH" --locked --root "$home" || fail "keur cannot be built from its sources; the log says why."
fi
echo "$home/bin" >>"$GITHUB_PATH"
