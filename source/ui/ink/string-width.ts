import stringWidth from 'string-width';
import { remember } from './remember.ts';

/** Stands in for `string-width` where Ink and what it uses import it. */
export default remember((text) => stringWidth(text));
