# SPDX-License-Identifier: LGPL-2.1-or-later
# Flag before file before environment before default; resolved anew at every call.

== version says every setting, sorted, on standard error
$ cliphist version
!~ version\t[0-9.]+
! allow-sandboxed\tnone
! choose-moves\tyes
! clear-on\t
!~ config-path\t/.*/config/cliphist/config
!~ db-path\t/.*/cache/cliphist/db
! ignore-app\t
! ignore-mime\t
! ignore-pattern\t
! max-age\t0
! max-dedupe-search\t-1
! max-items\t10000
! max-store-size\t4GiB
! max-total-size\t10GiB
! min-free-space\t5%
! min-store-length\t0
! notify\tyes
! notify-copies\tno
! persist\towner-exit
! picker\tauto
! preview-width\t100
! primary\tno

== the environment
$ CLIPHIST_PREVIEW_WIDTH=7 cliphist version
!...
! preview-width\t7
!...
$ CLIPHIST_PREVIEW_WIDTH=7,8 cliphist version
!...
! preview-width\t8
!...
$ CLIPHIST_PREVIEW_WIDTH= cliphist version
!...
! preview-width\t100
!...
$ WIDTH=9 CLIPHIST_PREVIEW_WIDTH='$WIDTH' cliphist version
!...
! preview-width\t9
!...

== the file beats the environment, and a flag beats both
$ mkdir -p config/cliphist && echo 'preview-width 5' > config/cliphist/config
$ CLIPHIST_PREVIEW_WIDTH=7 cliphist version
!...
! preview-width\t5
!...
$ CLIPHIST_PREVIEW_WIDTH=7 cliphist -preview-width 3 version
!...
! preview-width\t3
!...

== lines of the file
$ mkdir -p config/cliphist && printf '# a comment\n\n \tpreview-width \t 5 \nunheard-of 1\nnotify\nmax-items ${N}0\n' > config/cliphist/config
$ N=4 cliphist version
!...
! max-items\t40
!...
! notify\ttrue
!...
! preview-width\t5
!...

== a comment behind a value
$ mkdir -p config/cliphist && printf 'preview-width 5\t# narrow\nmax-items 7 #7\nnotify # yes\npersist never  # ever\nmax-age 1h30m #\n' > config/cliphist/config
$ cliphist version
!...
! max-age\t1h30m
!...
! max-items\t7
!...
! notify\ttrue
! notify-copies\tno
! persist\tnever
! picker\tauto
! preview-width\t5
!...
$ cliphist doctor
>~ checked: .*

== a key that nobody knows
$ mkdir -p config/cliphist && printf 'preview-width 5\nmax-itms 7\n' > config/cliphist/config
$ cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config/cliphist/config:2: unknown key 'max-itms' \(did you mean 'max-items'\?\): ignored
? 1
$ echo max-items=500 >config/cliphist/config; cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:1: unknown key 'max-items=500': a blank stands between a key and its value: ignored
? 1

== a limit that keeps nothing says so
$ mkdir -p config/cliphist; echo 'max-items 0' >config/cliphist/config; echo one | cliphist store; cliphist list; cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:1: max-items: 0 keeps nothing but what is pinned; -1 is no limit
? 1
$ cliphist status | grep -c max-items
> 1
!~ .*/config:1: max-items: 0 keeps nothing .*
$ CLIPHIST_MAX_ITEMS=0 cliphist list
$ echo 'max-items 9' >config/cliphist/config; CLIPHIST_MAX_ITEMS=0 cliphist -max-items 5 doctor
>~ checked: .*: nothing is wrong

== what ends a list is none of its words, and is no mistake
$ mkdir -p config/cliphist; printf 'clear-on lock\nclear-on none\n' >config/cliphist/config; cliphist doctor; cliphist config clear-on
>~ checked: .*: nothing is wrong
> 
$ cliphist -clear-on none version 2>&1 | grep -c clear-on; cliphist -clear-on lok version
> 1
! parse error
! clear-on is one of lock logout, not 'lok'
! usage:
!...
? 2

== another file
$ echo 'preview-width 5' > other
$ cliphist -config-path other version
!~ version.*
! allow-sandboxed\tnone
! choose-moves\tyes
! clear-on\t
! config-path\tother
!...
! preview-width\t5
!...
$ CLIPHIST_CONFIG_PATH=other cliphist version
!...
! preview-width\t5
!...
$ cliphist -config-path no-such-file version
!...
! preview-width\t100
!...

== a bad line of the file costs that line
$ mkdir -p config/cliphist && printf 'max-items = 200\npreview-width 5\nmax-store-size = 5MB\n' > config/cliphist/config
$ printf abcdefgh | cliphist store; cliphist list
> 1\tabcde…

== a file in another encoding, and a line that names the file itself
$ mkdir -p config/cliphist && printf '# \303\274\r\n\r\nignore-pattern a\r\nclear-on lock\r\nmax-items 5\r\n' | iconv -t UTF-16 > config/cliphist/config
$ cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:3: no UTF-8, but another encoding or a NUL byte: this rule is OFF
!~ .*/config:4: no UTF-8, but another encoding or a NUL byte: this rule is OFF
!~ .*/config:5: no UTF-8, but another encoding or a NUL byte: ignored
? 1
$ printf 'config-path other\nmax-items 5\n' > config/cliphist/config; cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:1: config-path has no effect in the file: ignored
? 1
$ cliphist config config-path other
! config: config-path has no effect in the file
! see cliphist config --help
? 2

== a rule that keeps nothing out says so
$ mkdir -p config/cliphist && printf 'ignore-pattern [\nignore-patern x\nclear-on sunday\nmax-items\nMAX-ITEMS 5\n' > config/cliphist/config
$ cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:1: ignore-pattern: no regular expression, .*: this rule is OFF
!~ .*/config:2: unknown key 'ignore-patern' \(did you mean 'ignore-pattern'\?\): this rule is OFF
!~ .*/config:3: unknown value 'sunday' of clear-on, which is one of lock logout: this rule is OFF
!~ .*/config:4: max-items has no value: ignored
!~ .*/config:5: unknown key 'MAX-ITEMS' \(did you mean 'max-items'\?\): ignored
? 1
$ printf 'ignore_pattern a\nIGNORE_PATTERN=a\ningore-patern a\nignorePatterns a\nclear_on lock\ncler-on lock\nmax_items 5\n' > config/cliphist/config; cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:1: unknown key 'ignore_pattern' \(did you mean 'ignore-pattern'\?\): this rule is OFF
!~ .*/config:2: unknown key 'IGNORE_PATTERN=a': .*: this rule is OFF
!~ .*/config:3: unknown key 'ingore-patern' \(did you mean 'ignore-pattern'\?\): this rule is OFF
!~ .*/config:4: unknown key 'ignorePatterns' \(did you mean 'ignore-pattern'\?\): this rule is OFF
!~ .*/config:5: unknown key 'clear_on' \(did you mean 'clear-on'\?\): this rule is OFF
!~ .*/config:6: unknown key 'cler-on' \(did you mean 'clear-on'\?\): this rule is OFF
!~ .*/config:7: unknown key 'max_items' \(did you mean 'max-items'\?\): ignored
? 1
$ printf '\357\273\277ignore-pattern a\nignore-mime $NO_SUCH\nIgnore-Pattern b\nignore-mime a\0b\nignore-mime c/d # f\374r\nignore-pattern Schl\374ssel\nignore-mime image/png, image/jpeg\n' > config/cliphist/config
$ cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:2: ignore-mime has no value: this rule is OFF
!~ .*/config:3: unknown key 'Ignore-Pattern' \(did you mean 'ignore-pattern'\?\): this rule is OFF
!~ .*/config:4: no UTF-8, but another encoding or a NUL byte: this rule is OFF
!~ .*/config:6: no UTF-8, but another encoding or a NUL byte: this rule is OFF
!~ .*/config:7: ignore-mime: no name of a type, which \* and \? may stand in: image/png, image/jpeg: this rule is OFF
? 1
$ cliphist config ignore-pattern; cliphist config ignore-mime
> a
> c/d
$ CLIPHIST_IGNORE_MIME='$NO_SUCH' cliphist config ignore-mime
> c/d
$ printf 'ignore-pattern ^password|^token|\nignore-mime *\n' > config/cliphist/config
$ echo kept | cliphist store; cliphist list; cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:1: ignore-pattern: this rule matches every text, so no text is kept
!~ .*/config:2: ignore-mime: this rule matches every type, so nothing is kept
? 1
$ printf 'ignore-pattern "hunter2"\nignore-mime png\nallow-sandboxed org.a.B, org.c.D\n' > config/cliphist/config
$ echo my hunter2 | cliphist store; cliphist list; cliphist doctor
>~ checked: .* the configuration has mistakes
!~ .*/config:1: ignore-pattern: the " at both ends is part of the expression, and what stands between is a rule, too: write it without, or \["\] for one that is meant
!~ .*/config:2: ignore-mime: this rule matches no usual type: a type is like text/plain, a rule like text/\*
!~ .*/config:3: allow-sandboxed: no names with blanks between them: org.a.B, org.c.D: ignored
? 1
$ cliphist config allow-sandboxed 'org.a.B, org.c.D'
! config: names have blanks between them, and no commas: 'org.a.B, org.c.D'
! see cliphist config --help
? 2
$ printf 'ignore-patern x\n' > config/cliphist/config
$ cliphist doctor --json 2>/dev/null | grep -o '^{"ok":false\|"configuration":\["[^]]*config:1:'
> {"ok":false
>~ "configuration":\["/.*config:1:

== what is wrong in the configuration is named by status and doctor, which work all the same
$ mkdir -p config/cliphist && printf 'max-age 7d\nmax-items = 200\n' > config/cliphist/config
$ cliphist status | grep -o 'max-age 7d'
> max-age 7d
!~ .*/config/cliphist/config:2: invalid value "= 200" for max-items: no '=' stands before it: ignored
$ cliphist doctor
>...
!~ .*/config/cliphist/config:2: invalid value "= 200" for max-items: no '=' stands before it: ignored
? 1
$ CLIPHIST_MAX_ITEMS=many cliphist status --json | cut -c1-9
> {"store":
!~ CLIPHIST_MAX_ITEMS: .*: ignored
!~ .*:2: invalid value "= 200" for max-items: no '=' stands before it: ignored
$ cliphist -max-items many status
! invalid value "many" for flag -max-items: parse error
! usage:
!...
? 2
$ rm config/cliphist/config && mkdir config/cliphist/config; cliphist status | head -n 1 | cut -c1-7
> history
!~ .*/config/cliphist/config.*: Is a directory
$ rmdir config/cliphist/config && mkfifo config/cliphist/config; cliphist status | head -n 1 | cut -c1-7; cliphist doctor
> history
>~ checked: .*
!~ read configuration '.*/config/cliphist/config': a FIFO is no file.*
!~ .*read configuration '.*/config/cliphist/config': a FIFO is no file.*
? 1

== what only reads goes on without a file that cannot be read, and says so; nothing is kept then
$ echo one | cliphist store; mkdir -p config/cliphist/config; cliphist list
> 1\tone
!~ .*/config/cliphist/config.*: Is a directory
$ cliphist decode 1; cliphist search one
> one
> 1\tone
!~ .*/config/cliphist/config.*: Is a directory
!~ .*/config/cliphist/config.*: Is a directory
$ echo two | cliphist store
!~ .*/config/cliphist/config.*: Is a directory
? 1
$ rmdir config/cliphist/config; cliphist list
> 1\tone

== a bad variable
$ CLIPHIST_MAX_ITEMS=many cliphist list
! parse error
! CLIPHIST_MAX_ITEMS: invalid value "many" for max-items: a number is like 500
! usage:
!...
? 2

== a bad size in the environment
$ CLIPHIST_MAX_STORE_SIZE=many cliphist list
!~ [^\n]+
? 1

== a link reads variables of its own name
$ ln -s "$(command -v cliphist)" my-hist
$ CLIPHIST_PREVIEW_WIDTH=7 MY_HIST_PREVIEW_WIDTH=8 ./my-hist version
!...
! preview-width\t8
!...

== without a home
$ unset HOME XDG_CACHE_HOME; cliphist list
! neither $XDG_CACHE_HOME nor $HOME are defined
? 1

== a relative folder for the state is ignored
$ printf a | XDG_STATE_HOME=elsewhere cliphist store; ls -d elsewhere
! ls: cannot access 'elsewhere': No such file or directory
? 2
$ ls home/.local/state/cliphist/history.db
> home/.local/state/cliphist/history.db

== a relative cache
$ XDG_CACHE_HOME=cache cliphist list
! path in $XDG_CACHE_HOME is relative
? 1
