//! A database role for workers, which can only claim and report jobs.

use postgres_protocol::password::scram_sha_256;

use crate::error::LedgerError;
use crate::jobs::Ledger;
use crate::layout::FOR_WORKERS;

/// Comment on each role that this program creates. It distinguishes these roles from others.
const MARK: &str = "plyhouse worker";

impl Ledger {
    /// Creates a role for connections of workers, or sets a new password if the role exists. The role may call the
    /// functions for workers and read the table `layout`. It has no access to any other table of the ledger or of a
    /// store. The password itself never leaves this process.
    ///
    /// # Errors
    /// Returns an error if the name is invalid, this user may not create roles, or the role exists and is not a role
    /// for workers.
    pub fn admit(&mut self, role: &str, password: &str) -> Result<(), LedgerError> {
        // The server would truncate a longer name.
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
        // The verifier contains neither quotes nor backslashes.
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

/// Quotes a name as an SQL identifier.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
