/** Makes dates and big integers of the texts in a value of an answer, in place. */
type Revive = (value: unknown) => unknown;
