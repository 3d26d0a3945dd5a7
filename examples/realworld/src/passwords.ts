import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

export function toPasswordHash(password: string, salt = randomBytes(16).toString('hex')): string {
  return `${salt}.${scryptSync(password, salt, 32).toString('hex')}`;
}

export function fitsPassword(password: string, hash: string): boolean {
  return timingSafeEqual(
    Buffer.from(hash),
    Buffer.from(toPasswordHash(password, hash.split('.')[0])),
  );
}
