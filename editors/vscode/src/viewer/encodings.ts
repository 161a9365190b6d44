/** The encodings that VS Code offers, as it calls them. The daemon knows each by the same name. */

export const ENCODINGS: Readonly<Record<string, string>> = {
  utf8: "UTF-8",
  utf16le: "UTF-16 LE",
  utf16be: "UTF-16 BE",
  windows1252: "Western (Windows 1252)",
  iso88591: "Western (ISO 8859-1)",
  iso88593: "Western (ISO 8859-3)",
  iso885915: "Western (ISO 8859-15)",
  macroman: "Western (Mac Roman)",
  cp437: "DOS (CP 437)",
  windows1256: "Arabic (Windows 1256)",
  iso88596: "Arabic (ISO 8859-6)",
  windows1257: "Baltic (Windows 1257)",
  iso88594: "Baltic (ISO 8859-4)",
  iso885914: "Celtic (ISO 8859-14)",
  windows1250: "Central European (Windows 1250)",
  iso88592: "Central European (ISO 8859-2)",
  cp852: "Central European (CP 852)",
  windows1251: "Cyrillic (Windows 1251)",
  cp866: "Cyrillic (CP 866)",
  cp1125: "Cyrillic (CP 1125)",
  iso88595: "Cyrillic (ISO 8859-5)",
  koi8r: "Cyrillic (KOI8-R)",
  koi8u: "Cyrillic (KOI8-U)",
  iso885913: "Estonian (ISO 8859-13)",
  windows1253: "Greek (Windows 1253)",
  iso88597: "Greek (ISO 8859-7)",
  windows1255: "Hebrew (Windows 1255)",
  iso88598: "Hebrew (ISO 8859-8)",
  iso885910: "Nordic (ISO 8859-10)",
  iso885916: "Romanian (ISO 8859-16)",
  windows1254: "Turkish (Windows 1254)",
  iso88599: "Turkish (ISO 8859-9)",
  cp857: "Turkish (CP 857)",
  windows1258: "Vietnamese (Windows 1258)",
  gbk: "Simplified Chinese (GBK)",
  gb18030: "Simplified Chinese (GB18030)",
  cp950: "Traditional Chinese (Big5)",
  big5hkscs: "Traditional Chinese (Big5-HKSCS)",
  shiftjis: "Japanese (Shift JIS)",
  eucjp: "Japanese (EUC-JP)",
  euckr: "Korean (EUC-KR)",
  windows874: "Thai (Windows 874)",
  iso885911: "Latin/Thai (ISO 8859-11)",
  koi8ru: "Cyrillic (KOI8-RU)",
  koi8t: "Tajik (KOI8-T)",
  gb2312: "Simplified Chinese (GB 2312)",
  cp865: "Nordic DOS (CP 865)",
  cp850: "Western European DOS (CP 850)",
};

/** The daemon's names that are none of VS Code's. */
const OTHER_NAMES: Readonly<Record<string, string>> = { macintosh: "Mac Roman", ibm866: "CP 866" };

/** What the daemon is asked for; null: as it finds out itself, which UTF-8 is part of. */
export function wireName(encoding: string): string | null {
  if (encoding === "utf8" || encoding === "utf8bom" || !(encoding in ENCODINGS)) {
    return null;
  }
  return encoding === "koi8t" ? "koi8-t" : encoding;
}

/** For the status bar: `Windows 1252`, without the language; what VS Code has no name for as the daemon calls it. */
export function shortName(encoding: string): string {
  const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const known = Object.entries(ENCODINGS).find(
    ([name, label]) => name === letters(encoding) || letters(withoutLanguage(label)) === letters(encoding),
  );
  return known ? withoutLanguage(known[1]) : (OTHER_NAMES[encoding] ?? encoding.toUpperCase());
}

function withoutLanguage(label: string): string {
  return /\((.+)\)/.exec(label)?.[1] ?? label;
}
