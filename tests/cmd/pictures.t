# SPDX-License-Identifier: LGPL-2.1-or-later
# A picture is told by its bytes, whatever is said of it.

== each format has its word
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' | cliphist store
$ echo /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////wAALCAADAAIBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AB//Z | base64 -d | cliphist store
$ echo R0lGODlhAgADAPAAAP8AAP///yH5BAAAAAAAIf8LSW1hZ2VNYWdpY2sNZ2FtbWE9MC40NTQ1NQAsAAAAAAIAAwAAAgKEXwA7 | base64 -d | cliphist store
$ echo Qk1OAAAAAAAAADYAAAAoAAAAAgAAAAMAAAABABgAAAAAABgAAAAAAAAAAAAAAAAAAAAAAAAAAAD/AAD/AAAAAP8AAP8AAAAA/wAA/wAA | base64 -d | cliphist store
$ echo SUkqAAwAAAAAAAAAEAAAAQMAAQAAAAIAAAABAQMAAQAAAAMAAAACAQMAAQAAAAEAAAADAQMAAQAAAAEAAAAGAQMAAQAAAAMAAAAKAQMAAQAAAAEAAAARAQQAAQAAAAgAAAASAQMAAQAAAAEAAAAVAQMAAQAAAAEAAAAWAQMAAQAAAAMAAAAXAQQAAQAAAAMAAAAcAQMAAQAAAAEAAAApAQMAAgAAAAAAAQA+AQUAAgAAAA4BAAA/AQUABgAAAN4AAABAAQMABgAAANIAAAAAAAAA/////wAA//8AAP//hetRAAAAgADD9agAAAAAAs3MTAAAAAABzcxMAAAAgADNzEwAAAAAAo/C9QAAAAAQNxqgAAAAAAIrhwoAAAAgAA== | base64 -d | cliphist store
$ echo UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoCAAMAAgA0JaACdLoB+AADsAD+8MQL/yC5YXXI1/8gP+QH/ID/+PIAAAA= | base64 -d | cliphist store
$ echo UklGRhwAAABXRUJQVlA4TA8AAAAvAYAAAAcQ/Y/+ByKi/wEA | base64 -d | cliphist store
$ cliphist list
> 7\t[[ binary data 36 B webp 2x3 ]]
> 6\t[[ binary data 68 B webp 2x3 ]]
> 5\t[[ binary data 286 B tiff 2x3 ]]
> 4\t[[ binary data 78 B bmp 2x3 ]]
> 3\t[[ binary data 72 B gif 2x3 ]]
> 2\t[[ binary data 159 B jpeg 2x3 ]]
> 1\t[[ binary data 33 B png 10x20 ]]
$ for id in 1 2 3 4 5 6 7; do cliphist types $id; done
> image/png
> image/jpeg
> image/gif
> image/bmp
> image/tiff
> image/webp
> image/webp
$ cliphist decode 6 | base64 -w 0; echo
> UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoCAAMAAgA0JaACdLoB+AADsAD+8MQL/yC5YXXI1/8gP+QH/ID/+PIAAAA=

== bytes behind it do not matter, and count
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >png
$ { cat png; head -c 1000 /dev/zero; } | cliphist store; { cat png; head -c 2000 /dev/zero; } | cliphist store
$ { cat png; head -c 3000000 /dev/zero; } | cliphist store
$ cliphist list
> 3\t[[ binary data 3 MiB png 10x20 ]]
> 2\t[[ binary data 2 KiB png 10x20 ]]
> 1\t[[ binary data 1 KiB png 10x20 ]]
$ cliphist -preview-width 0 list | head -n 1
> 3\t[[ binary data 3 MiB png 10x20 ]]

== the size may stand behind a camera's preview, or behind all that is shown
$ { printf '\377\341\377\377'; head -c 65533 /dev/zero; } >preview; printf '\377\330' >start
$ printf '\377\300\0\13\10\0\7\0\5\1\1\21\0\377\332\0\2' >frame
$ cat start preview frame | cliphist store
$ { cat start; for i in $(seq 40); do cat preview; done; cat frame; head -c 9000 /dev/zero; } | cliphist store
$ { printf 'II*\0\210\23\0\0'; head -c 4992 /dev/zero; printf '\2\0\0\1\3\0\1\0\0\0\11\0\0\0\1\1\3\0\1\0\0\0\13\0\0\0'; } | cliphist store
$ { cat start; head -c 5000000 /dev/zero | tr '\0' '\377'; cat frame; } | cliphist store
$ cliphist list
> 4\t[[ binary data 5 MiB jpeg 5x7 ]]
> 3\t[[ binary data 5 KiB tiff 9x11 ]]
> 2\t[[ binary data 3 MiB jpeg 5x7 ]]
> 1\t[[ binary data 64 KiB jpeg 5x7 ]]

== what the existing tool does not know is text, unless it is named
# one bit of the size is wrong; cut in the checksum; 16 bits a pixel; AVIF
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\13\0\0\0\24\10\2\0\0\0;\214;\1' >damaged
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;' >cut
$ { printf 'BM\0\0\0\0\0\0\0\0\066\0\0\0(\0\0\0\3\0\0\0\4\0\0\0\1\0\20\0'; head -c 24 /dev/zero; } >deep
$ printf '\0\0\0\034ftypavif' >avif
$ for file in damaged cut deep avif; do cliphist store <$file; done; cliphist list | grep -c binary
> 0
? 1
$ for id in 1 2 3 4; do cliphist types $id; done
> image/png
> image/png
> image/bmp
> image/avif
$ cliphist wipe; for file in damaged cut; do CLIPBOARD_TYPE=image/png cliphist store <$file; done; CLIPBOARD_TYPE=image/bmp cliphist store <deep; CLIPBOARD_TYPE=image/avif cliphist store <avif; cliphist list | cut -f 2
> [[ binary data 12 B avif ]]
> [[ binary data 54 B bmp 3x4 ]]
> [[ binary data 32 B png 10x20 ]]
> [[ binary data 33 B png 11x20 ]]

== what is no image to anybody else, and one to it
$ printf 'GIF89a is text' | cliphist store; printf 'GIF89a is text, too' | CLIPBOARD_TYPE=text/plain cliphist store; cliphist list
> 2\tGIF89a is text, too
> 1\t[[ binary data 14 B gif 26912x8307 ]]

== what only says that it is one is text
$ printf 'PNG and no picture' | cliphist store; printf 'BM, a word' | cliphist store; printf 'GIF8' | cliphist store; cliphist list
> 3\tGIF8
> 2\tBM, a word
> 1\tPNG and no picture
