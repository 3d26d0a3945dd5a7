export const programs: readonly { title: string; packages: Readonly<Record<string, string>> }[];
