/**
 * Stands in for read-package-up where Pastel imports it: Pastel reads the package.json of the user's working directory
 * in every run, and fails where that is broken, although it is told name and version.
 */
export async function readPackageUp(): Promise<undefined> {
  return undefined;
}
