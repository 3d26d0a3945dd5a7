export declare function findRedisServer(
  environment?: Readonly<Record<string, string | undefined>>,
): string | undefined;
export declare function needsRedisServer(
  environment?: Readonly<Record<string, string | undefined>>,
): boolean;
