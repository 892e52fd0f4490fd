/** HTML's character references, decoded once, as a browser reads them: those of HTML 4, and numbers. */

/** The names of 160 to 255, in order; a browser reads these without their semicolon too. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn " +
  "sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave " +
  "Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc " +
  "Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute " +
  "THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml " +
  "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave " +
  "uacute ucirc uuml yacute thorn yuml ";

/** Other names, each with its number. */
const OTHERS =
  "quot 22 amp 26 lt 3c gt 3e OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ " +
  "2c6 tilde 2dc Alpha 391 Beta 392 Gamma 393 Delta 394 Epsilon 395 Zeta 396 Eta 397 Theta 398 " +
  "Iota 399 Kappa 39a Lambda 39b Mu 39c Nu 39d Xi 39e Omicron 39f Pi 3a0 Rho 3a1 Sigma 3a3 Tau " +
  "3a4 Upsilon 3a5 Phi 3a6 Chi 3a7 Psi 3a8 Omega 3a9 alpha 3b1 beta 3b2 gamma 3b3 delta 3b4 " +
  "epsilon 3b5 zeta 3b6 eta 3b7 theta 3b8 iota 3b9 kappa 3ba lambda 3bb mu 3bc nu 3bd xi 3be " +
  "omicron 3bf pi 3c0 rho 3c1 sigmaf 3c2 sigma 3c3 tau 3c4 upsilon 3c5 phi 3c6 chi 3c7 psi 3c8 " +
  "omega 3c9 thetasym 3d1 upsih 3d2 piv 3d6 ensp 2002 emsp 2003 thinsp 2009 zwnj 200c zwj 200d " +
  "lrm 200e rlm 200f ndash 2013 mdash 2014 lsquo 2018 rsquo 2019 sbquo 201a ldquo 201c rdquo " +
  "201d bdquo 201e dagger 2020 Dagger 2021 bull 2022 hellip 2026 permil 2030 prime 2032 Prime " +
  "2033 lsaquo 2039 rsaquo 203a oline 203e frasl 2044 euro 20ac image 2111 weierp 2118 real " +
  "211c trade 2122 alefsym 2135 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 crarr 21b5 " +
  "lArr 21d0 uArr 21d1 rArr 21d2 dArr 21d3 hArr 21d4 forall 2200 part 2202 exist 2203 empty " +
  "2205 nabla 2207 isin 2208 notin 2209 ni 220b prod 220f sum 2211 minus 2212 lowast 2217 radic " +
  "221a prop 221d infin 221e ang 2220 and 2227 or 2228 cap 2229 cup 222a int 222b there4 2234 " +
  "sim 223c cong 2245 asymp 2248 ne 2260 equiv 2261 le 2264 ge 2265 sub 2282 sup 2283 nsub 2284 " +
  "sube 2286 supe 2287 oplus 2295 otimes 2297 perp 22a5 sdot 22c5 lceil 2308 rceil 2309 lfloor " +
  "230a rfloor 230b lang 2329 rang 232a loz 25ca spades 2660 clubs 2663 hearts 2665 diams 2666 ";

/** Names beyond HTML 4 that stand in code: the one of XML, and marks of ASCII in HTML 5. */
const MARKS =
  "apos 27 num 23 lpar 28 rpar 29 comma 2c period 2e colon 3a semi 3b equals 3d lsqb 5b rsqb 5d " +
  "lowbar 5f lcub 7b verbar 7c rcub 7d NewLine a Tab 9 LT 3c GT 3e AMP 26 QUOT 22 ";

/** What 128 to 159 mean to a browser: the letters of Windows-1252. */
const WINDOWS =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

const BARE: readonly string[] = [
  ...LATIN.trim().split(" "),
  ..."amp lt gt quot AMP LT GT QUOT".split(" "),
];

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN.trim()
    .split(" ")
    .map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...pairs(OTHERS + MARKS),
]);

function pairs(text: string): [string, string][] {
  const words = text.trim().split(" ");
  return words.flatMap((name, index): [string, string][] =>
    index % 2 === 1
      ? []
      : [[name, String.fromCodePoint(Number.parseInt(words[index + 1] ?? "", 16))]],
  );
}

const REFERENCE = /&(?:#([0-9]+);?|#[xX]([0-9a-fA-F]+);?|([a-zA-Z][a-zA-Z0-9]*)(;?))/g;

export const decodeEntities = (text: string): string =>
  text.replace(REFERENCE, (all, decimal, hex, name: string | undefined, end: string) => {
    if (decimal !== undefined) return ofNumber(Number.parseInt(decimal, 10));
    if (hex !== undefined) return ofNumber(Number.parseInt(hex, 16));
    return ofName(name ?? "", end) ?? all;
  });

/** Without its semicolon, or unknown as a whole, a name counts as far as it is one of the old ones. */
function ofName(name: string, end: string): string | undefined {
  const whole = end === ";" ? NAMED.get(name) : undefined;
  if (whole !== undefined) return whole;
  const known = BARE.filter((bare) => name.startsWith(bare)).sort((a, b) => b.length - a.length)[0];
  return known === undefined ? undefined : `${NAMED.get(known)}${name.slice(known.length)}${end}`;
}

function ofNumber(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS[code - 0x80] ?? "";
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  if (isNone) return "\ufffd";
  // What no text may hold, a browser leaves out.
  const isUnfit =
    (code < 0x20 && !"\t\n\f\r".includes(String.fromCharCode(code))) ||
    code === 0x7f ||
    (code & 0xfffe) === 0xfffe;
  return isUnfit ? "" : String.fromCodePoint(code);
}
