/** Stands in for the function of Pastel that looks for `commands/_app`: what is around every screen is in `open-screen.tsx`. */
export default async function readCustomApp(): Promise<undefined> {
  return undefined;
}
