/** The inputs of a property: as many as are said for `npm test`, and 20,000 in the long job. */
export function countInputs(usual: number): number {
  return Number(process.env['CAPIX_INPUTS'] ?? usual);
}
