#!/bin/sh
# Places a block a turn. With an argument it answers once, without any it stays and answers line by line.

answer() {
	tick=${1##*tick_id\":}
	tick=${tick%\}}
	bot=${1##*bot_id\":}
	bot=${bot%%,*}
	y=$((3 * tick)) x=$((10 * bot))
	echo "[[$y,$x],[$y,$((x + 1))],[$((y + 1)),$x],[$((y + 1)),$((x + 1))]]"
}

if [ $# -gt 0 ]; then
	[ "$1" = - ] && set -- "$(cat)"
	answer "$1"
else
	while read -r state; do answer "$state"; done
fi
