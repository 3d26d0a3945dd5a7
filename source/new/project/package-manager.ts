export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof packageManagers)[number];

/** The commands of a package manager. */
export interface PackageManagerCommands {
  /** Arguments of the installation of everything, development dependencies too. */
  readonly install: readonly string[];
  /** Runs a script of package.json: `npm run` dev. */
  readonly run: string;
  /** Runs a command of a dependency: `npx` capix. */
  readonly exec: string;
  /** The command by which a build machine that has npm alone installs everything. */
  readonly ci: string;
}

export const packageManagerCommands: Readonly<Record<PackageManager, PackageManagerCommands>> = {
  npm: {
    install: ['install', '--include=dev', '--no-audit', '--no-fund'],
    run: 'npm run',
    exec: 'npx',
    ci: 'npm install',
  },
  pnpm: {
    install: ['install', '--prod=false'],
    run: 'pnpm run',
    exec: 'pnpm exec',
    ci: 'corepack enable && pnpm install',
  },
  yarn: { install: ['install'], run: 'yarn run', exec: 'yarn', ci: 'corepack enable && yarn install' },
  bun: { install: ['install'], run: 'bun run', exec: 'bunx', ci: 'npm install --global bun && bun install' },
};

/** The package manager that started this process, by the name that all of them leave in `npm_config_user_agent`; else npm. */
export function inferPackageManager(userAgent: string | undefined): PackageManager {
  return packageManagers.find((name) => userAgent?.startsWith(`${name}/`)) ?? 'npm';
}
