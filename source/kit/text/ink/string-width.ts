import stringWidth from 'string-width';
import { remember } from './remember.ts';

/** The number of columns that a text takes. Stands in for `string-width` where Ink and what it uses import it. */
export default remember((text) => {
  const plain = text.replaceAll(styles, '');
  return narrow.test(plain) ? plain.length : stringWidth(text);
});

const styles = /\u001B\[[\d;]*m/g;
/**
 * Latin letters and the signs that screens are drawn with, a column each: most lines are nothing else. What tells the width of others takes the engine
 * 50 ms to make.
 */
const narrow =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u017F\u2010-\u2027\u2030-\u205E\u2190-\u2199\u21A9-\u21FF\u2500-\u25FC\u276E\u276F\u2713\u2717\u2800-\u28FF]*$/;
