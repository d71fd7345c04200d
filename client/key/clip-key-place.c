/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the layouts of xkeyboard-config (2.35 and 2.42) have v: in its usual place, or on
 * no key. Those that are missing here have it elsewhere (Dvorak, Turkish F), or have
 * another Latin letter in its place; in one that is unknown that place may be Ctrl+C.
 */
#include "clip-key-place.h"

/* the variants by their exact names; "-" is the layout without one */
static const struct
{
  const char *layout;
  const char *usual;   /* (nullable) */
  const char *lacking; /* (nullable) */
} table[] = {
  { "af", NULL, "- fa-olpc ps ps-olpc uz uz-olpc" },
  { "al", "- plisi", "veqilharxhi" },
  { "am", NULL, "- eastern eastern-alt olpc-phonetic phonetic phonetic-alt western" },
  { "ancient", NULL, "- ave got uga" },
  { "apl", NULL, "- apl2 aplplusII aplx dyalog sax unified" },
  { "ara", NULL,
    "- azerty azerty_digits basic_ext basic_ext_digits buckwalter digits "
    "ergoarabic mac mac-phonetic olpc qwerty qwerty_digits sun_type6 uga" },
  { "at", "- mac nodeadkeys", NULL },
  { "au", "-", NULL },
  { "az", "-", "cyrillic" },
  { "ba", "- alternatequotes unicode unicodeus us", NULL },
  { "bd", NULL, "- probhat" },
  { "be", "- iso-alternate nodeadkeys oss oss_latin9 sun_type6 wang", NULL },
  { "bg", NULL, "- bas_phonetic bekl phonetic" },
  { "bqn", NULL, "-" },
  { "br", "- nodeadkeys sun_type6 thinkpad", "rus" },
  { "brai", NULL, "- left_hand left_hand_invert right_hand right_hand_invert" },
  { "bt", NULL, "-" },
  { "bw", "-", NULL },
  { "by", "latin", "- intl legacy phonetic ru" },
  { "ca", "- eng fr-legacy kut multi multix shs sun_type6", "ike multi-2gr" },
  { "cd", "-", NULL },
  { "ch",
    "- de_mac de_nodeadkeys fr fr_mac fr_nodeadkeys legacy sun_type6_de "
    "sun_type6_fr",
    NULL },
  { "cm", "- azerty french mmuock qwerty", NULL },
  { "cn", "- altgr-pinyin",
    "mon_manchu_galik mon_todo_galik mon_trad mon_trad_galik mon_trad_manchu "
    "mon_trad_todo mon_trad_xibe tib tib_asciinum ug" },
  { "cz",
    "- bksl coder prog prog_typo qwerty qwerty-mac qwerty_bksl sun_type6 winkeys "
    "winkeys-qwerty",
    "colemak-ucw rus typo ucw" },
  { "de",
    "- T3 deadacute deadgraveacute deadtilde dsb dsb_qwertz e1 e2 hu lld mac "
    "mac_nodeadkeys neo_qwerty neo_qwertz nodeadkeys pl qwerty ro ro_nodeadkeys "
    "sun_type6 tr us",
    "ru ru-recom ru-translit" },
  { "dk", "- mac mac_nodeadkeys nodeadkeys sun_type6 winkeys", NULL },
  { "dz", "- azerty-deadkeys qwerty-gb-deadkeys qwerty-us-deadkeys", "ar ber" },
  { "ee", "- nodeadkeys sun_type6 us", NULL },
  { "eg", NULL, "- cop" },
  { "epo", "- legacy", NULL },
  { "es", "- ast cat deadtilde mac nodeadkeys sun_type6 winkeys", NULL },
  { "et", NULL, "-" },
  { "eu", "-", NULL },
  { "fi", "- classic mac nodeadkeys smi sun_type6 winkeys", NULL },
  { "fo", "- nodeadkeys", NULL },
  { "fr",
    "- afnor azerty bre ergol latin9 latin9_nodeadkeys mac nodeadkeys oci oss "
    "oss_latin9 oss_nodeadkeys sun_type6 us us-alt us-azerty",
    "geo" },
  { "gb", "- colemak colemak_dh extd gla intl mac mac_intl pl sun_type6", NULL },
  { "ge", NULL, "- ergonomic mess os ru" },
  { "gh", "- akan avn ewe fula ga generic gillbt hausa", NULL },
  { "gn", NULL, "-" },
  { "gr", NULL, "- colemak extended nodeadkeys polytonic simple sun_type6" },
  { "hr", "- alternatequotes unicode unicodeus us", NULL },
  { "hu",
    "- 101_qwerty_comma_dead 101_qwerty_comma_nodead 101_qwerty_dot_dead "
    "101_qwerty_dot_nodead 101_qwertz_comma_dead 101_qwertz_comma_nodead "
    "101_qwertz_dot_dead 101_qwertz_dot_nodead 102_qwerty_comma_dead "
    "102_qwerty_comma_nodead 102_qwerty_dot_dead 102_qwerty_dot_nodead "
    "102_qwertz_comma_dead 102_qwertz_comma_nodead 102_qwertz_dot_dead "
    "102_qwertz_dot_nodead nodeadkeys qwerty standard us",
    "oldhun oldhun_sk_sh oldhun_sk_sz oldhunlig" },
  { "id", "-",
    "javanese melayu-phonetic melayu-phoneticx pegon-phonetic phonetic phoneticx" },
  { "ie", "- CloGaelach UnicodeExpert ogam_is434", "ogam" },
  { "il", NULL, "- biblical biblicalSIL lyx phonetic si2" },
  { "in", "eng",
    "- asm-kagapa ben ben-kagapa ben_baishakhi ben_bornona ben_gitanjali "
    "ben_inscript ben_probhat bolnagri eeyek guj guj-kagapa guru hin-kagapa "
    "hin-wx jhelum kan kan-kagapa mal mal_enhanced mal_lalitha mal_poorna "
    "mar-kagapa marathi mni modi-kagapa olck ori ori-bolnagri ori-wx san-kagapa "
    "san-misc sat tam tam_tamilnet tam_tamilnet_TAB tam_tamilnet_TSCII "
    "tam_tamilnet_with_tam_nums tam_tamilnumbers tamilnet tamilnet_TAB "
    "tamilnet_TSCII tamilnet_tamilnumbers tel tel-kagapa tel-sarala urd-navees "
    "urd-phonetic urd-phonetic3 urd-winkeys" },
  { "iq", "ku ku_alt", "- ku_ara" },
  { "ir", "ku ku_alt", "- ave azb ku_ara pes_keypad winkeys" },
  { "is", "- mac mac_legacy", NULL },
  { "it", "- fur ibm intl lld lldde mac nodeadkeys scn sun_type6 us winkeys", "geo" },
  { "jp", "- OADG109A kana86 sun_type6 sun_type7 sun_type7_suncompat", "kana mac" },
  { "jv", NULL, "-" },
  { "ke", "- kik", NULL },
  { "kg", NULL, "- phonetic" },
  { "kh", NULL, "-" },
  { "kr", "- kr104 sun_type6", NULL },
  { "kz", "latin", "- ext kazrus ruskaz" },
  { "la", NULL, "- stea" },
  { "latam", "- colemak colemak-gaming deadtilde nodeadkeys", NULL },
  { "lk", "us", "- tam_TAB tam_unicode" },
  { "lt", "- ibm lekp lekpa sgs std sun_type6 us", NULL },
  { "lv",
    "- adapted apostrophe apostrophe-deadquotes apostrophecolemak colemak fkey "
    "modern sun_type6 tilde",
    "modern-cyr" },
  { "ma", "french rif",
    "- tifinagh tifinagh-alt tifinagh-alt-phonetic tifinagh-extended "
    "tifinagh-extended-phonetic tifinagh-phonetic" },
  { "mao", "-", NULL },
  { "md", "- gag", NULL },
  { "me", "- latinalternatequotes latinunicode latinunicodeyz latinyz",
    "cyrillic cyrillicalternatequotes cyrillicyz" },
  { "mk", NULL, "- nodeadkeys" },
  { "ml", "- fr-oss us-intl us-mac", NULL },
  { "mm", NULL, "- mnw mnw-a1 shn zawgyi zgt" },
  { "mn", NULL, "-" },
  { "mt", "- alt-gb alt-us us", NULL },
  { "mv", NULL, "-" },
  { "my", NULL, "- phonetic" },
  { "ng", "- hausa igbo", "yoruba" },
  { "nl", "- mac std sun_type6 us", NULL },
  { "no",
    "- colemak colemak_dh colemak_dh_wide mac mac_nodeadkeys nodeadkeys smi "
    "smi_nodeadkeys sun_type6 winkeys",
    NULL },
  { "np", NULL, "-" },
  { "nz", "- mao", NULL },
  { "ph", "- capewell-dvorak capewell-qwerf2k6 colemak",
    "capewell-dvorak-bay capewell-qwerf2k6-bay colemak-bay dvorak-bay qwerty-bay" },
  { "pk", NULL, "- ara snd urd-crulp urd-navees urd-nla" },
  { "pl",
    "- colemak colemak_dh colemak_dh_ansi csb intl lefty legacy qwertz sun_type6 "
    "szl",
    "glagolica ru_phonetic_dvorak" },
  { "pt", "- colemak mac mac_nodeadkeys nodeadkeys sun_type6", NULL },
  { "ro", "- crh_dobruja ergonomic std sun_type6 winkeys", NULL },
  { "rs", "latin latinalternatequotes latinunicode latinunicodeyz latinyz",
    "- alternatequotes combiningkeys rue yz" },
  { "ru", "cv_latin ruchey_en",
    "- ab bak chm chu cv dos gost-14289-88 gost-6431-75-48 kom legacy mac "
    "os_legacy os_winkeys phonetic phonetic_YAZHERTY phonetic_azerty "
    "phonetic_dvorak phonetic_fr phonetic_mac phonetic_winkeys prxn rtu ruchey_ru "
    "rulemak ruu sah srp sun_type6 tt typewriter typewriter-legacy typo udm "
    "unipunct winkeys-p xal" },
  { "se", "- mac nodeadkeys ovd smi sun_type6 us", "rus rus_nodeadkeys swl" },
  { "si", "- alternatequotes us", NULL },
  { "sk", "- bksl qwerty qwerty_bksl sun_type6", "acc" },
  { "sn", "-", NULL },
  { "sy", "ku ku_alt", "- syc syc_phonetic" },
  { "tg", "-", NULL },
  { "th", NULL, "- pat tis" },
  { "tj", NULL, "- legacy" },
  { "tm", "alt", "-" },
  { "tr", "- alt intl ku ku_alt sun_type6 us", "ot otf otk otkf" },
  { "trans", "- qwerty", NULL },
  { "tw", "- indigenous saisiyat", NULL },
  { "tz", NULL, "-" },
  { "ua", "crh crh_alt sun_type6",
    "- homophonic legacy macOS phonetic rstu rstu_ru typewriter winkeys" },
  { "us",
    "- alt-intl alt-intl-unicode altgr-intl altgr-weur ats carpalx "
    "carpalx-altgr-intl carpalx-intl colemak colemak_dh colemak_dh_iso "
    "colemak_dh_wide colemak_dh_wide_iso crd cz_sk_de cz_sk_pl_de_es_fi_sv "
    "de_se_fi drix dvorak-l euro haw hbs ibm238l intl intl-unicode mac norman "
    "olpc2 scn sun_type6 symbolic",
    "chr rus" },
  { "uz", "latin", "-" },
  { "vn", "- aderty fr qderty us", NULL },
  { "za", "-", NULL },
};

static gboolean
has_name (const char *names, const char *name)
{
  g_auto (GStrv) all = g_strsplit (names ?: "", " ", -1);

  return g_strv_contains ((const char *const *) all, name);
}

/* @variant: as in the list of all; empty: none */
void
clip_key_place_add (ClipKeyPlace *self, const char *layout, const char *variant)
{
  const char *name = *variant ? variant : "-";

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (table[i].layout, layout))
      {
        const gboolean lacks = has_name (table[i].lacking, name);

        self->lacks |= lacks;
        self->moves |= !lacks && !has_name (table[i].usual, name);
        return;
      }
  self->moves = TRUE;
}

/**
 * clip_key_place_add_lists:
 * @layouts: with commas between them
 * @variants: the same, as far as there are some
 */
void
clip_key_place_add_lists (ClipKeyPlace *self, const char *layouts, const char *variants)
{
  g_auto (GStrv) names = g_strsplit (layouts, ",", -1);
  g_auto (GStrv) theirs = g_strsplit (variants, ",", -1);
  const guint n = g_strv_length (theirs);

  for (guint i = 0; names[i]; i++)
    clip_key_place_add (self, g_strstrip (names[i]), i < n ? g_strstrip (theirs[i]) : "");
}

/* whether v is to be pressed by its place, since a layout that may be in use has no such
 * sign: only where none can have another one there */
gboolean
clip_key_place_is_sure (const ClipKeyPlace *self)
{
  return self->lacks && !self->moves;
}
