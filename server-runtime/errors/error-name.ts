/** `'Not found'` and `'NotFound'` give `'NotFound'`; `'e-mail taken'` gives `'EMailTaken'`. */
export function toErrorName(nameOrMessage: string): string {
  if (isName(nameOrMessage)) return nameOrMessage;
  const words = nameOrMessage.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/**
 * The result of `toErrorName`, for the compiler; `string` for a text with letters other than those of English.
 * Character by character: `Rest` is still to be read, `Start` where a word begins, `Name` what was read as one word,
 * `IsName` until something stands between words.
 */
export type ErrorNameOf<
  NameOrMessage extends string,
  Rest extends string = NameOrMessage,
  Start extends boolean = true,
  Name extends string = '',
  IsName extends boolean = true,
> = string extends NameOrMessage
  ? string
  : Rest extends `${infer Character}${infer More}`
    ? 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789' extends `${string}${Character}${string}`
      ? ErrorNameOf<
          NameOrMessage,
          More,
          false,
          `${Name}${Start extends true ? Uppercase<Character> : Character}`,
          IsName
        >
      : ' -_.,:;!?\'"/\\()[]{}&+*=<>|#%$@^~`' extends `${string}${Character}${string}`
        ? ErrorNameOf<NameOrMessage, More, true, Name, false>
        : string
    : IsName extends true
      ? NameOrMessage
      : Name;

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
