#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause

# kept_objects.sh <folder> <compiler> <argument>...: runs the compiler, or takes the object that an earlier run has made
# of the same arguments and of files with the same content, and said nothing about. CMake calls it as a launcher: the
# projects of these tests are built anew each time, while their sources and what they include seldom change.

folder=$1
shift
output="" dependencies="" source=""
previous=""
for argument; do
    case $previous in
        -o) output=$argument ;;
        -MF) dependencies=$argument ;;
        -c) source=$argument ;;
    esac
    previous=$argument
done
if [ -z "$output" ] || [ -z "$dependencies" ] || [ ! -f "$source" ]; then
    exec "$@"
fi

# Paths are in the object, so that the same file elsewhere is another one. Another version of the compiler is another file.
compiler=$(command -v "$1") || exec "$@"
key=$({ pwd; ls -lL "$compiler"; printf '%s\n' "$@"; } | sha256sum | cut -d ' ' -f 1)
kept=$folder/$key
if sha256sum --check --status "$kept/sums" 2>/dev/null; then
    cp "$kept/object" "$output" && cp "$kept/dependencies" "$dependencies" && exit 0
fi

said=$output.said
"$@" 2>"$said"
code=$?
cat "$said" >&2
if [ $code -eq 0 ] && [ ! -s "$said" ]; then
    # Written beside and renamed, since tests run at the same time.
    partial=$kept.$$
    rm -rf "$partial"
    # A rule for make: the object, a colon, and files with backslashes before the ends of lines; the files have no spaces.
    mkdir -p "$partial" &&
        sed -e 's/\\$//' -e '1s/^[^:]*://' "$dependencies" | tr -s ' ' '\n' | sed '/^$/d' | xargs sha256sum >"$partial/sums" &&
        cp "$output" "$partial/object" && cp "$dependencies" "$partial/dependencies" &&
        rm -rf "$kept" && mv -T "$partial" "$kept"
    rm -rf "$partial"
fi
rm -f "$said"
exit $code
