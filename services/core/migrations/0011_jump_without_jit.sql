-- PostgreSQL before 18 prices what find_jump switches off at 10^10, and compiles every statement that costs so much, where it can: that
-- took 1.7 s for one page by number instead of 5 ms (PostgreSQL 15.18 as Debian sets it up, a user with 4,300 items, 2026-11).

alter function find_jump(uuid, text, text, text, text, bigint) set jit = off;
