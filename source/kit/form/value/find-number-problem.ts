/** As the API reads numbers of a query: no `0x10`, no `Infinity`. */
const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/** Why a text cannot be sent as the number that it says; undefined where it can. Nothing is rounded: what is sent has the digits that are shown. */
export function findNumberProblem(text: string): string | undefined {
  const said = toDecimal(text);
  if (said === undefined) return 'Write it as a decimal number: 12, -0.5 or 1e3.';
  return said === toDecimal(String(Number(text)))
    ? undefined
    : 'A JSON number cannot hold so many digits: another number would be sent.';
}

/** The same for numbers that are written in several ways: `1.50` and `15e-1`. */
function toDecimal(text: string): string | undefined {
  const parts = DECIMAL.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign === '-' ? '-' : ''}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
