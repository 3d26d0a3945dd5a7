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

/** `takeToken` of stores/take-token.ts by the clock of Redis. ARGV: tokens of a full bucket, milliseconds in which it fills. Gives whether there was one, and what is left. */
const take = `
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local tokens = limit
local state = redis.call('GET', KEYS[1])
if state then
  local kept, at = string.match(state, '^(%S+) (%S+)$')
  tokens = math.min(limit, tonumber(kept) + math.max(0, now - tonumber(at)) * limit / window)
end
local ok = 0
if tokens >= 1 - 1e-9 then
  ok = 1
  tokens = math.max(0, tokens - 1)
end
redis.call('SET', KEYS[1], string.format('%.12f %.0f', tokens, now), 'PX', window + 1)
return {ok, string.format('%.12f', tokens)}`;

/** The steps of a store that Redis has no command for: each is a script that nothing comes between, with one key, so that a cluster takes it too. */
export const storeScripts = { add, swap, take };
