-- What workers do, as functions. They are the only way in which a worker's role reaches the tables.

-- Jobs whose leases have run out are given out again, or put aside after the third failure.
CREATE OR REPLACE FUNCTION plyhouse_ledger.take_back() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE plyhouse_ledger.job SET
        state = CASE WHEN failures + 1 >= MOST_FAILURES THEN 4 ELSE 0 END,
        failures = failures + 1,
        why = 'worker ' || worker || ' was not heard of any more',
        until = NULL
    WHERE (work, number) IN (
        SELECT work, number FROM plyhouse_ledger.job WHERE state = 1 AND until < now() FOR UPDATE SKIP LOCKED);
    IF FOUND THEN
        NOTIFY plyhouse_offered;
        NOTIFY plyhouse_done;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION plyhouse_ledger.enlist(its_name text, its_build text, its_speed double precision, its_jobs integer)
RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO plyhouse_ledger.worker (name, build, speed, jobs) VALUES (its_name, its_build, its_speed, its_jobs)
    RETURNING id
$$;

CREATE OR REPLACE FUNCTION plyhouse_ledger.task(its_work bigint) RETURNS TABLE (kind text, spec text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT work.kind, work.spec FROM plyhouse_ledger.work WHERE work.id = its_work
$$;

-- The next job of this build. A worker that has just failed at a job leaves it to others for a while. Work by work, so
-- that the jobs are read in the order of an index, however many wait.
CREATE OR REPLACE FUNCTION plyhouse_ledger.claim(me bigint, its_build text, lease double precision)
RETURNS TABLE (work bigint, number bigint, input text, failures integer, taken text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    its_work bigint;
BEGIN
    -- If the server fails at this moment, the lease may be gone, and another worker gets the job. The first output
    -- counts then, so it is not worth to wait for the disk.
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM plyhouse_ledger.take_back();
    FOR its_work IN SELECT id FROM plyhouse_ledger.work WHERE build = its_build AND NOT is_over ORDER BY id LOOP
        RETURN QUERY UPDATE plyhouse_ledger.job AS mine
            SET state = 1, worker = me, until = now() + make_interval(secs => lease)
            WHERE mine.work = its_work AND mine.number = (
                SELECT job.number FROM plyhouse_ledger.job
                WHERE job.work = its_work AND job.state = 0
                    AND (job.until IS NULL OR job.until < now() OR job.worker IS DISTINCT FROM me)
                ORDER BY job.number LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING mine.work, mine.number, mine.input, mine.failures,
                to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
        IF FOUND THEN
            RETURN;
        END IF;
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION plyhouse_ledger.renew(me bigint, works bigint[], numbers bigint[], lease double precision)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    held bigint;
BEGIN
    -- As in `claim`.
    PERFORM set_config('synchronous_commit', 'off', true);
    -- Jobs first, then the worker, as in `finish` and `fail`: in another order the two would wait for each other.
    UPDATE plyhouse_ledger.job SET until = now() + make_interval(secs => lease)
        WHERE worker = me AND state = 1 AND (work, number) IN (SELECT * FROM unnest(works, numbers));
    GET DIAGNOSTICS held = ROW_COUNT;
    UPDATE plyhouse_ledger.worker SET seen = now() WHERE id = me;
    RETURN held;
END $$;

-- The output of a job and the end of its lease. Only the first output counts. It is announced unless another one waits
-- that was: while a transaction with an announcement is written to the disk, all others with one wait for it.
CREATE OR REPLACE FUNCTION plyhouse_ledger.finish(its_work bigint, its_number bigint, me bigint, its_output text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE plyhouse_ledger.job SET state = 2, output = its_output, worker = me, until = NULL
        WHERE work = its_work AND number = its_number AND state IN (0, 1, 4);
    IF FOUND THEN
        UPDATE plyhouse_ledger.worker SET done = done + 1, seen = now() WHERE id = me;
        IF NOT EXISTS (
            SELECT FROM plyhouse_ledger.job WHERE work = its_work AND state = 2 AND number <> its_number) THEN
            NOTIFY plyhouse_done;
        END IF;
        RETURN true;
    END IF;
    RETURN false;
END $$;

CREATE OR REPLACE FUNCTION plyhouse_ledger.fail(
    its_work bigint, its_number bigint, me bigint, reason text, pause double precision) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE plyhouse_ledger.job SET
        state = CASE WHEN failures + 1 >= MOST_FAILURES THEN 4 ELSE 0 END,
        failures = failures + 1,
        why = reason,
        until = now() + make_interval(secs => pause)
    WHERE work = its_work AND number = its_number AND worker = me AND state = 1;
    UPDATE plyhouse_ledger.worker SET failed = failed + 1, seen = now() WHERE id = me;
    NOTIFY plyhouse_offered;
    NOTIFY plyhouse_done;
END $$;

-- A worker that ends gives its jobs back. That is no failure.
CREATE OR REPLACE FUNCTION plyhouse_ledger.release(me bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE plyhouse_ledger.job SET state = 0, until = NULL WHERE worker = me AND state = 1;
    DELETE FROM plyhouse_ledger.live WHERE worker = me;
    NOTIFY plyhouse_offered;
END $$;

CREATE OR REPLACE FUNCTION plyhouse_ledger.bundle(its_hash text) RETURNS TABLE (bytes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT bundle.bytes FROM plyhouse_ledger.bundle WHERE bundle.hash = its_hash
$$;

-- What a worker is doing, for those who watch.
CREATE OR REPLACE FUNCTION plyhouse_ledger.show(me bigint, its_snapshot text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO plyhouse_ledger.live (worker, seen, snapshot) VALUES (me, now(), its_snapshot)
    ON CONFLICT (worker) DO UPDATE SET seen = now(), snapshot = its_snapshot
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA plyhouse_ledger FROM PUBLIC;
