/** The fields of a line of a log, one below the other: JSON, or `key=value` as logfmt has it. */

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const LOGFMT_FIELD = /(?:^|\s)([A-Za-z_][\w.@/-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)(?=\s|$)/g;
/** Braces from which on JSON is looked for: a line may have any number. */
const MAX_BRACES = 20;
/** A single `a=b` may as well be prose. */
const MIN_LOGFMT_FIELDS = 2;

/** What stands before the fields, and the fields as indented JSON. Null where there are none. */
export function fieldsOf(line: string): { before: string; json: string } | null {
  return jsonIn(line) ?? logfmtIn(line);
}

function jsonIn(line: string): { before: string; json: string } | null {
  const end = line.lastIndexOf("}") + 1;
  for (const { index } of [...line.matchAll(/\{/g)].slice(0, MAX_BRACES)) {
    const json = line.slice(index, end);
    if (/^\{\s*["}]/.test(json) && isJson(json)) {
      return { before: line.slice(0, index).trim(), json: indented(json) };
    }
  }
  return null;
}

function logfmtIn(line: string): { before: string; json: string } | null {
  const fields = [...line.matchAll(LOGFMT_FIELD)];
  if (fields.length < MIN_LOGFMT_FIELDS) {
    return null;
  }
  const lines = fields.map(([, key = "", value = ""]) => {
    const isLiteral = value.startsWith('"')
      ? isJson(value)
      : /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(value);
    return `  ${JSON.stringify(key)}: ${isLiteral ? value : JSON.stringify(value)}`;
  });
  return { before: line.slice(0, fields[0]?.index).trim(), json: `{\n${lines.join(",\n")}\n}` };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** By its tokens, not by its values: large numbers, repeated keys and the way strings are written stay as they are. */
function indented(json: string): string {
  const tokens = json.match(JSON_TOKEN) ?? [];
  let depth = 0;
  let text = "";
  const newLine = () => `\n${"  ".repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const isEmpty = token === "{" ? tokens[index + 1] === "}" : token === "[" && tokens[index + 1] === "]";
    if (token === "}" || token === "]") {
      const wasEmpty = tokens[index - 1] === (token === "}" ? "{" : "[");
      depth -= wasEmpty ? 0 : 1;
      text += wasEmpty ? token : `${newLine()}${token}`;
    } else if ((token === "{" || token === "[") && !isEmpty) {
      depth += 1;
      text += `${token}${newLine()}`;
    } else if (token === ",") {
      text += `,${newLine()}`;
    } else {
      text += token === ":" ? ": " : token;
    }
  }
  return text;
}
