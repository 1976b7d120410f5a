//! A role for workers, which may claim jobs and report them, and nothing else.

use postgres_protocol::password::scram_sha_256;

use crate::layout::FOR_WORKERS;
use crate::{Ledger, LedgerError};

/// How the roles that we have made are told from those of others.
const MARK: &str = "plyhouse worker";

impl Ledger {
    /// Makes a role with which workers connect, or gives the one that there is a new password. It may call the
    /// functions of workers: it sees no table, neither of the ledger nor of a store. The password itself never leaves
    /// this process.
    ///
    /// # Errors
    /// If no role can have this name, this user may not make roles, or the role exists and is not one for workers.
    pub fn admit(&mut self, role: &str, password: &str) -> Result<(), LedgerError> {
        // The server would cut off a longer name.
        if role.is_empty() || role.len() > 63 || role.contains('\0') {
            return Err(LedgerError::Name(role.to_owned()));
        }
        let name = quoted(role);
        let mut all = self.client().transaction()?;
        let found = all.query_opt(
            "SELECT coalesce(shobj_description(oid, 'pg_authid'), '') FROM pg_roles WHERE rolname = $1",
            &[&role],
        )?;
        match found.map(|row| row.get::<_, String>(0)) {
            None => all.batch_execute(&format!("CREATE ROLE {name} LOGIN; COMMENT ON ROLE {name} IS '{MARK}'"))?,
            Some(mark) if mark == MARK => (),
            Some(_) => return Err(LedgerError::NotAWorker(role.to_owned())),
        }
        // The verifier has neither quotes nor backslashes.
        let verifier = scram_sha_256(password.as_bytes());
        let functions: Vec<String> = FOR_WORKERS.iter().map(|name| format!("plyhouse_ledger.{name}")).collect();
        all.batch_execute(&format!(
            "ALTER ROLE {name} PASSWORD '{verifier}'; \
             GRANT USAGE ON SCHEMA plyhouse_ledger TO {name}; \
             GRANT SELECT ON plyhouse_ledger.layout TO {name}; \
             GRANT EXECUTE ON FUNCTION {} TO {name}",
            functions.join(", ")
        ))?;
        Ok(all.commit()?)
    }
}

/// A name as an identifier of SQL.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
