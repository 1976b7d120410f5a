-- Functions for workers. Apart from calling them, a worker's role can only read the table `layout`.

-- Offers jobs with expired leases again. After the third failure, sets them aside.
CREATE OR REPLACE FUNCTION plyhouse_ledger.take_back() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE plyhouse_ledger.job SET
        state = CASE WHEN failures + 1 >= {MOST_FAILURES} THEN {ASIDE} ELSE {WAITING} END,
        failures = failures + 1,
        why = 'worker ' || worker || ' was not heard of any more',
        until = NULL
    WHERE (work, number) IN (
        SELECT work, number FROM plyhouse_ledger.job WHERE state = {LEASED} AND until < now() FOR UPDATE SKIP LOCKED);
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

-- Leases the next job of this build. The worker that failed at a job last does not receive it before `until`. The loop
-- takes one work after the other, so that an index gives the order of the jobs, however many are waiting.
CREATE OR REPLACE FUNCTION plyhouse_ledger.claim(me bigint, its_build text, lease double precision)
RETURNS TABLE (work bigint, number bigint, input text, failures integer, taken text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    its_work bigint;
BEGIN
    -- If the server crashes now, the lease may be lost, and another worker receives the job, too. The first output
    -- counts, so a lease need not wait for the disk.
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM plyhouse_ledger.take_back();
    FOR its_work IN SELECT id FROM plyhouse_ledger.work WHERE build = its_build AND NOT is_over ORDER BY id LOOP
        RETURN QUERY UPDATE plyhouse_ledger.job AS mine
            SET state = {LEASED}, worker = me, until = now() + make_interval(secs => lease)
            WHERE mine.work = its_work AND mine.number = (
                SELECT job.number FROM plyhouse_ledger.job
                WHERE job.work = its_work AND job.state = {WAITING}
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
    -- Updates the jobs before the worker, as `finish` and `fail` do: another order could cause a deadlock.
    UPDATE plyhouse_ledger.job SET until = now() + make_interval(secs => lease)
        WHERE worker = me AND state = {LEASED} AND (work, number) IN (SELECT * FROM unnest(works, numbers));
    GET DIAGNOSTICS held = ROW_COUNT;
    UPDATE plyhouse_ledger.worker SET seen = now() WHERE id = me;
    RETURN held;
END $$;

-- Records the output of a job and ends its lease. Only the first output counts. Sends no notification while another
-- output waits to be collected, because transactions with notifications are written to the disk one after the other.
CREATE OR REPLACE FUNCTION plyhouse_ledger.finish(its_work bigint, its_number bigint, me bigint, its_output text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE plyhouse_ledger.job SET state = {DONE}, output = its_output, worker = me, until = NULL
        WHERE work = its_work AND number = its_number AND state IN ({WAITING}, {LEASED}, {ASIDE});
    IF FOUND THEN
        UPDATE plyhouse_ledger.worker SET done = done + 1, seen = now() WHERE id = me;
        IF NOT EXISTS (
            SELECT FROM plyhouse_ledger.job WHERE work = its_work AND state = {DONE} AND number <> its_number) THEN
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
        state = CASE WHEN failures + 1 >= {MOST_FAILURES} THEN {ASIDE} ELSE {WAITING} END,
        failures = failures + 1,
        why = reason,
        until = now() + make_interval(secs => pause)
    WHERE work = its_work AND number = its_number AND worker = me AND state = {LEASED};
    UPDATE plyhouse_ledger.worker SET failed = failed + 1, seen = now() WHERE id = me;
    NOTIFY plyhouse_offered;
    NOTIFY plyhouse_done;
END $$;

-- Releases the jobs of a worker that ends, so that others can claim them. This does not count as a failure.
CREATE OR REPLACE FUNCTION plyhouse_ledger.release(me bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE plyhouse_ledger.job SET state = {WAITING}, until = NULL WHERE worker = me AND state = {LEASED};
    DELETE FROM plyhouse_ledger.live WHERE worker = me;
    NOTIFY plyhouse_offered;
END $$;

CREATE OR REPLACE FUNCTION plyhouse_ledger.bundle(its_hash text) RETURNS TABLE (bytes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT bundle.bytes FROM plyhouse_ledger.bundle WHERE bundle.hash = its_hash
$$;

-- Publishes what a worker is doing, for viewers.
CREATE OR REPLACE FUNCTION plyhouse_ledger.show(me bigint, its_snapshot text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO plyhouse_ledger.live (worker, seen, snapshot) VALUES (me, now(), its_snapshot)
    ON CONFLICT (worker) DO UPDATE SET seen = now(), snapshot = its_snapshot
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA plyhouse_ledger FROM PUBLIC;
