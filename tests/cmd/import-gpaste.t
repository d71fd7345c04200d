# SPDX-License-Identifier: LGPL-2.1-or-later
# GPaste's history: an XML file, the newest item first, and a folder of images.

== as version 43 wrote it: texts, an image, files, rich text; two characters are encoded twice
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture; mkdir -p gpaste/images; cp picture gpaste/images/0a1b.png
$ printf '%s\n' '<?xml version="1.0" encoding="UTF-8"?>' '<history version="2.0">' '  <item kind="Image" uuid="u5" date="1600000000">' '    <value><![CDATA[/gone/images/0a1b.png]]></value>' '  </item>' '  <item kind="Text" uuid="u4">' '    <value><![CDATA[line one' 'line & <b&gt; ]]&gt; &amp;gt; ünï 😀]]></value>' '    <value mime="text-html"><![CDATA[PGI+cmljaDwvYj4=]]></value>' '  </item>' '  <item kind="Uris" uuid="u3">' '    <value><![CDATA[file:///tmp/a%20b' 'file:///tmp/c]]></value>' '    <value mime="gnome-copied-files"><![CDATA[Y29weQpmaWxlOi8vL3RtcC9j]]></value>' '  </item>' '  <item kind="Color" uuid="u2">' '    <value><![CDATA[rgb(1,2,3)]]></value>' '  </item>' '  <item kind="Text" uuid="u1">' '    <value><![CDATA[first]]></value>' '  </item>' '</history>' >gpaste/history.xml
$ cliphist import gpaste/history.xml
! this is a history of GPaste
! 5 entries were added
$ cliphist list
> 5\t[[ binary data 33 B png 10x20 ]]
> 4\tline one line & <b> ]]> &gt; ünï 😀
> 3\tfile:///tmp/a%20b file:///tmp/c
> 2\trgb(1,2,3)
> 1\tfirst
$ cliphist decode 5 | cmp - picture; cliphist decode 4
> line one
>| line & <b> ]]> &gt; ünï 😀
$ cliphist types 4; cliphist paste --type text/html 4; echo; cliphist types 3; cliphist decode 3 | cksum
> text/plain;charset=utf-8
> text/html
> <b>rich</b>
> text/uri-list
> x-special/gnome-copied-files
> 2081321946 34
$ cliphist show --json 5 | grep -o '1600000000[0-9]*' | tail -n 1
> 1600000000000000
$ cliphist import gpaste
! this is a history of GPaste
! 0 entries were added
! 5 entries were there already

== as it is written since: favourites, a folder of images for each history
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture; mkdir -p gpaste/images/mine; cp picture gpaste/images/mine/0a1b.png
$ printf '%s' '<?xml version="1.0" encoding="UTF-8"?><history version="2.0"><item kind="Image" uuid="u2" date="1600000000" checksum="0a1b" favourite="true"><value><![CDATA[/gone/images/mine/0a1b.png]]></value></item><item kind="Text" uuid="u1"><value>&lt;plain&gt;</value></item></history>' >gpaste/mine.xml
$ cliphist import gpaste/mine.xml; cliphist list
! this is a history of GPaste
! 2 entries were added
> 2\t[[ binary data 33 B png 10x20 ]]
> 1\t<plain>
$ cliphist wipe; cliphist list
> 2\t[[ binary data 33 B png 10x20 ]]

== as its first version wrote it
$ printf '%s\n' '<?xml version="1.0" encoding="UTF-8"?>' '<history version="1.0">' '  <item kind="Text"><![CDATA[two &amp; more]]></item>' '  <item kind="Text"><![CDATA[one]]></item>' '</history>' >history.xml; cliphist import history.xml; cliphist list
! this is a history of GPaste
! 2 entries were added
> 2\ttwo & more
> 1\tone

== some histories in a folder, the one last that was written last
$ mkdir gpaste; printf '<history version="2.0"><item kind="Text"><value>old</value></item></history>' >gpaste/zeta.xml; printf '<history version="2.0"><item kind="Text"><value>new</value></item></history>' >gpaste/alpha.xml; touch -d '2020-01-01' gpaste/zeta.xml; echo '<other/>' >gpaste/other.xml
$ cliphist import gpaste; cliphist list
! this is a history of GPaste
! 2 entries were added
> 2\tnew
> 1\told

== passwords stay where they are, and so does an image that is not there or none
$ echo 'the hosts' >file; printf '%s' '<history version="2.0"><item kind="Password" name="mine"><value>hush</value></item><item kind="Image" date="1"><value>/gone.png</value></item><item kind="Image" date="1"><value>'"$PWD"'/file</value></item><item kind="Image" date="1"><value>/dev/zero</value></item><item kind="Text"><value></value></item><item kind="Text"><value>one</value></item></history>' >history.xml; cliphist import history.xml; cliphist list
! this is a history of GPaste
! 1 entry was added
! 2 entries were left out: secret, ignored, expired or empty
! 3 entries were left out: their files are missing
> 1\tone

== no image from elsewhere comes in, by its path or by a link
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture; mkdir gpaste; ln -s .. gpaste/images; printf '%s' '<history version="2.0"><item kind="Image" date="1"><value>'"$PWD"'/picture</value></item><item kind="Text"><value>one</value></item></history>' >gpaste/history.xml; cliphist import gpaste/history.xml; cliphist list
! this is a history of GPaste
! 1 entry was added
! 1 entry was left out: its file is missing
> 1\tone

== a large text comes as it is
$ { printf '<history version="2.0"><item kind="Text"><value><![CDATA['; yes 'a line with <tags&gt; in it' | head -n 100000; printf ']]></value></item></history>'; } >history.xml; cliphist import history.xml; yes 'a line with <tags> in it' | head -n 100000 >expected; cliphist decode 1 | cmp - expected
! this is a history of GPaste
! 1 entry was added

== what is wrong ends it: what stands before that is there, and nothing twice
$ printf '%s\n' '<history version="2.0">' '<item kind="Text"><value>three</value></item>' '<item kind="Text"><value>two</value></item>' '<item kind="Text"><value>one</value></item>' '</history>' >whole.xml; head -c 130 whole.xml >history.xml; cliphist import history.xml
! this is a history of GPaste
! 2 were added before: GPaste, at byte 130: it breaks off
? 1
$ cliphist list
> 2\tthree
> 1\ttwo
$ cliphist import whole.xml
! this is a history of GPaste
! 1 entry was added
! 2 entries were there already
$ printf '<history version="3.0"><item/></history>' >history.xml; cliphist import history.xml
! this is a history of GPaste
! GPaste, at byte 23: it is of a version that is not known
? 1
$ printf '<history version="2.0"><item kind="Text"><value>a</value></item><thing/></history>' >history.xml; cliphist -db-path third import history.xml
! this is a history of GPaste
! 1 were added before: GPaste, at byte 64: there is something else than an item
? 1
$ printf '<history version="2.0"><item kind="Text"><value>a</value></item><item kind="Text"><value>\377</value></item></history>' >history.xml; cliphist -db-path third import history.xml
! this is a history of GPaste
! GPaste, at byte 89: it is not UTF-8
? 1
$ printf '<!DOCTYPE history [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><history version="2.0"><item kind="Text"><value>&b;</value></item></history>' >history.xml; cliphist -db-path third import --from gpaste history.xml
!~ GPaste, at byte [0-9]+: it is malformed
? 1

== comments before the history, however many there are
$ printf '<?xml version="1.0"?>%s<history version=x>' "$(printf '<!---->%.0s' $(seq 60))" >history.xml; cliphist import history.xml
! this is a history of GPaste
! GPaste, at byte 0: it is malformed
? 1
