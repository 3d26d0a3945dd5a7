import packageJson from '../package.json' with { type: 'json' };

/** Our own name, version and description: never those of the project in the working directory. */
export const packageInfo = {
  name: packageJson.name,
  version: packageJson.version,
  description: packageJson.description,
} as const;
