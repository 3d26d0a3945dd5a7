/** Keeps a value unless there is one; gives the one that there was. ARGV: value, milliseconds. */
const add = `
local kept = redis.call('GET', KEYS[1])
if not kept then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return kept`;

/** Changes a value that is as it is said to be. ARGV: value, new value, milliseconds; without the last, the key is taken away. */
const swap = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) else redis.call('DEL', KEYS[1]) end
return 1`;

/** The steps of a store that Redis has no command for: each is a script that nothing comes between, with one key, so that a cluster takes it too. */
export const storeScripts = { add, swap };
