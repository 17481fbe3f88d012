#!/bin/sh
# Checks these runs: that no file was changed, and with "again" that they come out again.
set -eu
cd "$(dirname "$0")"

fail() {
  echo "verify.sh: $1" >&2
  exit 1
}

case "${1:-}" in
'' | again) ;;
*) fail "\"$1\" is not known; call it alone, or with \"again\"" ;;
esac

# What sums files is called differently on systems other than Linux.
if command -v sha256sum >/dev/null; then
  sums=sha256sum
elif command -v shasum >/dev/null; then
  sums="shasum -a 256"
else
  fail "neither sha256sum nor shasum is here, so no file was checked"
fi
for run in runs/*; do
  found=$(cd "$run" && $sums -c checksums.sha256 2>&1) || {
    echo "$found" | grep -v ': OK$' >&2
    fail "files of $run are not as they were written"
  }
done
echo "every file is as it was written"

if ! command -v clade >/dev/null; then
  [ "${1:-}" = again ] &&
    fail "nothing was bred again, since there is no clade here: README.md tells how to get it"
  echo "the fingerprints were not checked: for that, install clade as README.md tells"
  exit 0
fi
clade verify runs || fail "the runs are not whole"
[ "${1:-}" = again ] || exit 0

if ! clade version | grep -q -F -f programs.txt; then
  echo "note: this clade is another one than bred the runs; README.md tells how to get that one" >&2
fi
for study in studies/*.toml; do
  name=$(basename "$study" .toml)
  if [ -e "again/$name" ]; then # an earlier call was stopped
    clade resume "again/$name" || fail "$name could not be bred to its end"
  else
    clade run "$study" --out "again/$name" || fail "$name could not be bred again"
  fi
  cmp "runs/$name/done.json" "again/$name/done.json" || fail "$name came out otherwise"
done
echo "every run came out again"
