/** Stands in for `node:process` where Pastel imports it: the import alone opens the three standard streams. */
export default process;
