/** `'Not found'` and `'NotFound'` give `'NotFound'`; `'e-mail taken'` gives `'EMailTaken'`. */
export function toErrorName(nameOrMessage: string): string {
  if (isName(nameOrMessage)) return nameOrMessage;
  const words = nameOrMessage.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

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
