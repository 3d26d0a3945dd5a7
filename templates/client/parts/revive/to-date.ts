/** A text in the form in which JSON has a date. */
const toDate: Revive = (value) => (typeof value === 'string' && /^([+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? new Date(value) : value);
