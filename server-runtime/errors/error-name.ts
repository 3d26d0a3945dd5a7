/** `'Not found'` and `'NotFound'` give `'NotFound'`; `'e-mail taken'` gives `'EMailTaken'`. */
export function toErrorName(nameOrMessage: string): string {
  if (isName(nameOrMessage)) return nameOrMessage;
  const words = nameOrMessage.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** What `toErrorName` gives, for the compiler; `string` for a text with letters other than those of English. */
export type ErrorNameOf<NameOrMessage extends string> = string extends NameOrMessage
  ? string
  : JoinWords<NameOrMessage> extends infer Joined extends string
    ? string extends Joined
      ? string
      : HasSeparator<NameOrMessage> extends true
        ? Joined
        : NameOrMessage
    : never;

type HasSeparator<Text extends string> = Text extends `${string}${Separator}${string}` ? true : false;

/** Character by character, `Start` where a word begins. */
type JoinWords<
  Text extends string,
  Start extends boolean = true,
  Name extends string = '',
> = Text extends `${infer Character}${infer Rest}`
  ? Character extends LetterOrDigit
    ? JoinWords<Rest, false, `${Name}${Start extends true ? Uppercase<Character> : Character}`>
    : Character extends Separator
      ? JoinWords<Rest, true, Name>
      : string
  : Name;

type Small =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z');
type LetterOrDigit = Small | Uppercase<Small> | `${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`;
type Separator =
  | (' ' | '-' | '_' | '.' | ',' | ':' | ';' | '!' | '?' | "'" | '"' | '/' | '\\' | '(' | ')' | '[' | ']' | '{' | '}')
  | ('&' | '+' | '*' | '=' | '<' | '>' | '|' | '#' | '%' | '$' | '@' | '^' | '~' | '`');

/** `'NotFound'` gives `'Not found'`, `'APIKeyMissing'` gives `'API key missing'`; a message stays as it is. */
export function toErrorMessage(nameOrMessage: string): string {
  if (!isName(nameOrMessage)) return nameOrMessage;
  const words = nameOrMessage.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+/g) ?? [nameOrMessage];
  const sentence = words.map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase())).join(' ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function isName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(text);
}
