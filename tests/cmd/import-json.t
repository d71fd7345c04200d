# SPDX-License-Identifier: LGPL-2.1-or-later
# What is JSON: clipse's history, Ringboard's dump.

== clipse: texts, an image, a pin, times
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture; mkdir -p clipse/tmp_files; cp picture clipse/tmp_files/33-12.png
$ printf '%s' '{"clipboardHistory":[{"value":"third\n\u003cb\u003e \"ünï\" 😀","recorded":"2024-05-06 07:08:09.25","filePath":"null","pinned":true},{"value":"📷 33-12.png","recorded":"2024-05-06 07:08:08.123456789","filePath":"/gone/tmp_files/33-12.png","pinned":false},{"value":"first","recorded":"2024-05-06 07:08:07","filePath":"null","pinned":false}]}' >clipse/clipboard_history.json; echo '{}' >clipse/config.json
$ TZ=UTC cliphist import clipse/clipboard_history.json
! this is a history of clipse
! 3 entries were added
$ cliphist list; cliphist decode 2 | cmp - picture; cliphist decode 3
> 3\tthird <b> "ünï" 😀
> 2\t[[ binary data 33 B png 10x20 ]]
> 1\tfirst
> third
>| <b> "ünï" 😀
$ cliphist export | tar -xOf - | grep -o '"last":[0-9]*'
> "last":1714979287000000
> "last":1714979288123456
> "last":1714979289250000
$ cliphist import clipse; cliphist wipe; cliphist list
! this is a history of clipse
! 0 entries were added
! 3 entries were there already
> 3\tthird <b> "ünï" 😀

== clipse: no file from elsewhere comes in, by its path or by a link
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture; mkdir clipse; printf '{"clipboardHistory":[{"value":"","filePath":"%s/picture"},{"value":"","filePath":"../picture"},{"value":"one","filePath":"null"}]}' "$PWD" >clipse/clipboard_history.json; cliphist import clipse; cliphist list
! this is a history of clipse
! 1 entry was added
! 2 entries were left out: their files are missing
> 1\tone
$ ln -s .. clipse/tmp_files; cliphist import clipse; cliphist list
! this is a history of clipse
! 0 entries were added
! 1 entry was there already
! 2 entries were left out: their files are missing
> 1\tone

== clipse: as it begins a file, and what is wrong
$ printf '{\n    "clipboardHistory": []\n}' >clipboard_history.json; cliphist import clipboard_history.json
! this is a history of clipse
! 0 entries were added
$ printf '{"clipboardHistory":[{"value":"b","recorded":"yesterday","filePath":"null"},{"value":"a","filePath":"/etc/passwd"},{"value":"c"' >clipboard_history.json; cliphist import clipboard_history.json
! this is a history of clipse
! 1 were added before: clipse, at byte 127: it breaks off
? 1
$ printf '{"clipboardHistory":[{"value":"z","filePath":"null"},7]}' >clipboard_history.json; cliphist import clipboard_history.json
! this is a history of clipse
! 1 were added before: clipse, at byte 53: there is something else than an item
? 1

== Ringboard: favourites, texts, bytes
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture
$ printf '[{"id":3,"kind":"Human","data":"a favourite"},{"id":4294967296,"kind":"Human","data":"line\\nünï 😀"},{"id":4294967297,"kind":"Bytes","data":"%s","mime_type":"image/png"},{"id":4294967298,"kind":"Human","data":"<i>x</i>","mime_type":"text/html"}]' "$(base64 -w0 picture | tr -d =)" >dump.json
$ cliphist import dump.json; cliphist list
! this is a history of Ringboard
! 4 entries were added
> 4\t<i>x</i>
> 3\t[[ binary data 33 B png 10x20 ]]
> 2\tline ünï 😀
> 1\ta favourite
$ cliphist decode 3 | cmp - picture; cliphist types 4; cliphist types 2; cliphist wipe; cliphist list
> text/html
> text/plain;charset=utf-8
> 1\ta favourite

== Ringboard: as its own import wants it, and what is wrong
$ printf '{"id":4294967296,"kind":"Human","data":"one"}\n{"kind":"Bytes","data":"//8"}\n' >dump.jsonl; cliphist import dump.jsonl; cliphist decode 2 | od -An -tx1; cliphist wipe; cliphist list
! this is a history of Ringboard
! 2 entries were added
>  ff ff
$ printf '{"id":1,"kind":"Human","data":"one"}\n{"kind":"Bytes","data":"//8!"}\n' >dump.jsonl; cliphist import dump.jsonl
! this is a history of Ringboard
! 1 were added before: Ringboard, at byte 37: there is something else than an entry
? 1
$ { printf '[{"id":1,"kind":"Human","data":"two"},{"id":2,"kind":"Human","data":"'; head -c 100000 /dev/zero | tr '\0' 'x'; } >dump.json; cliphist import dump.json
! this is a history of Ringboard
! 1 were added before: Ringboard, at byte 100069: it breaks off
? 1
$ { printf '[{"id":1,"kind":"Human","data":'; head -c 100000 /dev/zero | tr '\0' '['; } >dump.json; cliphist import dump.json
! this is a history of Ringboard
!~ Ringboard, at byte [0-9]+: it is malformed
? 1

== where the parent ignores the end of its children
$ mkdir clipse; printf '{"clipboardHistory":[{"value":"one","filePath":"null"}]}' >clipse/clipboard_history.json; echo '{}' >clipse/config.json
$ python3 -c 'import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execvp("cliphist", ["cliphist", "import", "clipse"])'
! this is a history of clipse
! 1 entry was added
