import stringWidth from 'string-width';
import { remember } from './remember.ts';

/** The number of columns that a text takes. Stands in for `string-width` where Ink and what it uses import it. */
export default remember((text) => {
  const plain = text.replaceAll(styles, '');
  return narrow.test(plain) ? plain.length : stringWidth(text);
});

const styles = /\u001B\[[\d;]*m/g;
/** ASCII, and the lines and the ellipsis that screens are drawn with, a column each: most lines are nothing else. */
const narrow = /^[\u0020-\u007E\u2026\u2500-\u257F]*$/;
