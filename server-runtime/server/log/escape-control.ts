/**
 * Text with its control characters written out, `\u001b[31m`, so that a message of others cannot steer the terminal in which it is read.
 * Line feeds and tabs stay.
 */
export function escapeControl(text: string): string {
  return text.replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Controls, and the marks that turn the direction of text. */
const steering = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
