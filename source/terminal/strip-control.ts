/**
 * Takes escape sequences, control characters and marks that turn the direction of text out of foreign text. Line feeds
 * and tabs stay; a carriage return becomes a line feed. `'\u001B]0;title\u0007red \u001B[31malert'` gives `'red
 * alert'`.
 */
export function stripControl(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(foreignControl, '');
}

const foreignControl = new RegExp(
  [
    String.raw`(?:\u001B\]|\u009D)[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?`, // OSC: title, link, clipboard
    String.raw`(?:\u001B[PX^_]|[\u0090\u0098\u009E\u009F])[^\u001B\u009C]*(?:\u001B\\|\u009C)?`, // DCS, SOS, PM, APC
    String.raw`(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?`, // CSI: colour, cursor, erase
    String.raw`\u001B[ -/]*[0-~]?`, // every other escape
    String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F]`,
    String.raw`[\u202A-\u202E\u2066-\u2069]`,
  ].join('|'),
  'g',
);

/**
 * JSON, or code, for the terminal: characters that could act on it are written as `\u001b`. It is still the same JSON.
 */
export function escapeJson(json: string): string {
  return json.replace(
    actingControl,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const actingControl = new RegExp(
  String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]`,
  'g',
);
