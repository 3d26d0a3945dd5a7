/** Stands in for the function of Pastel that looks for `commands/_app`; `open-screen.tsx` has the frame. */
export default async function readCustomApp(): Promise<undefined> {
  return undefined;
}
