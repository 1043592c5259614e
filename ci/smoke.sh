#!/usr/bin/env bash
# Grades some submissions with a program, or with that of a released archive, and compares their points:
# `ci/smoke.sh target/debug/keur`. It needs Python and Node.
set -euo pipefail
cd "$(dirname "$0")/.."
keur=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case "$keur" in
    *.zip) unzip -q "$keur" -d "$work" && keur=$(echo "$work"/*/keur.exe) ;;
    *.tar.gz) tar -xzf "$keur" -C "$work" && keur=$(echo "$work"/*/keur) ;;
esac
"$keur" --version

# check POINTS SUBMISSION OPTION...
check() {
    local wanted="points=$1" got
    shift
    got=$("$keur" grade "fixtures/submissions/$1" "${@:2}" --exit-zero --format github-output | tr -d '\r' | grep '^points=')
    echo "$*: $got"
    [ "$got" = "$wanted" ] || {
        echo "::error title=smoke::$*: $got, and not $wanted"
        exit 1
    }
}

check 20 codenames/python/correct.py
check 18.67 codenames/python/blue_keeps_turn_on_red_spy.py
check 24 quixo/python/column_before_row.py
for engine in node quickjs; do
    check 29 quixo/javascript/correct_flat.js --engine "$engine"
    check 14 quixo/javascript/blank_die_stays_blank.js --engine "$engine"
    check 24 quixo/javascript/column_before_row.js --engine "$engine"
done
