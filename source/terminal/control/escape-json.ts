/**
 * JSON, or code, for the terminal: characters that could act on it (escape sequences, C1 controls, marks that turn the
 * direction of text) are written as `\u001b`. It is still the same JSON.
 */
export function escapeJson(json: string): string {
  return json.replace(foreignControl, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const foreignControl = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]`, 'g');
